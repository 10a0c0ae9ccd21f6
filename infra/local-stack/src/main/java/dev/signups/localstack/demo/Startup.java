package dev.signups.localstack.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Starts all processes, each as soon as what it needs is ready; the first that fails ends the start. */
final class Startup {

    private final MemberLauncher launcher;
    private final DemoState state;
    private final Console console;
    private final long begin;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();

    Startup(MemberLauncher launcher, DemoState state, Console console, long begin) {
        this.launcher = launcher;
        this.state = state;
        this.console = console;
        this.begin = begin;
    }

    void run() {
        // not closed: after a failure nobody waits for the others
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            CompletableFuture<Void> nothing = CompletableFuture.completedFuture(null);
            CompletableFuture<Void> postgres = start(Member.POSTGRES, nothing, threads);
            CompletableFuture<Void> signup = start(Member.SIGNUP_SERVICE, postgres, threads);
            List<CompletableFuture<Void>> all = new ArrayList<>(List.of(signup));
            for (Member member : state.members()) {
                switch (member) {
                    case POSTGRES, SIGNUP_SERVICE -> {}
                    case KAFKA -> all.add(start(member, nothing, threads));
                    // needs the table that the signup service makes
                    case WORKER -> all.add(start(member, signup, threads));
                    // these wait by themselves for Kafka and for what the signup service makes, and start up meanwhile
                    case OUTBOX_RELAY, EMAIL_CONSUMER, FAKE_EMAIL -> all.add(start(member, postgres, threads));
                }
            }
            CompletableFuture.anyOf(CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)), failed)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof DemoFailure failure) {
                throw failure;
            }
            throw e;
        }
    }

    private CompletableFuture<Void> start(Member member, CompletableFuture<Void> after, ExecutorService threads) {
        return after.thenRunAsync(
                        () -> {
                            launcher.launch(member, state);
                            console.step(member.label(), "ready", Duration.ofNanos(System.nanoTime() - begin));
                        },
                        threads)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        launcher.close();
                        failed.completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
                    }
                });
    }
}

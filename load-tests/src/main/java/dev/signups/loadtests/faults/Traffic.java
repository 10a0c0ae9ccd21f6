package dev.signups.loadtests.faults;

import dev.signups.loadtests.signup.Load;
import dev.signups.loadtests.signup.OpenLoad;
import dev.signups.loadtests.signup.SignupClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** Signups at a constant rate until they are stopped, whatever is down meanwhile; knows which were answered 201. */
final class Traffic {

    private static final int CREATED = 201;
    private static final Duration SLICE = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final AtomicReference<String> latest = new AtomicReference<>("");
    private final Thread thread;
    private volatile boolean stopping;

    private Traffic(String service, int rate) {
        this.thread = Thread.ofPlatform().name("traffic").unstarted(() -> run(service, rate));
    }

    static Traffic start(String service, int rate) {
        Traffic traffic = new Traffic(service, rate);
        traffic.thread.start();
        return traffic;
    }

    /** The address of a signup that is answered after this call. */
    String nextAnswered() throws InterruptedException {
        String before = latest.get();
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (latest.get().equals(before)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no signup was answered within two minutes of the fault");
            }
            Thread.sleep(20);
        }
        return latest.get();
    }

    /** Ends the load and waits for the answers. */
    Set<String> stop() throws InterruptedException {
        stopping = true;
        thread.join();
        return Set.copyOf(answered);
    }

    private void run(String service, int rate) {
        int slice = 0;
        while (!stopping) {
            try (SignupClient client = new SignupClient(service, "fault-" + slice++ + "-")) {
                // a slice that waits for late answers leaves a gap: the rate is at most the one asked for
                OpenLoad.run(Load.of(rate, SLICE).withGrace(GRACE), number -> {
                    int status = client.send(number);
                    if (status == CREATED) {
                        answered.add(client.address(number));
                        latest.set(client.address(number));
                    }
                    return status;
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}

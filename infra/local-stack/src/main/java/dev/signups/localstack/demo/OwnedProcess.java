package dev.signups.localstack.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A process that this demo started. Its id alone would not do: the system gives ids again, so the start time and the
 * program must fit too before anything is signalled.
 */
record OwnedProcess(long pid, Instant startedAt, String program) {

    /** Start times are told in steps of the kernel's clock, counted from a boot time known to the second. */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    /** What a process is for a moment, before it becomes its program. */
    private static final Set<String> HELPERS =
            Set.of("jspawnhelper", "setsid", "perl", "unshare", "sh", "dash", "bash", "nice");

    static OwnedProcess of(long pid, String program) {
        Instant startedAt = ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().startInstant())
                .orElse(Instant.EPOCH);
        return new OwnedProcess(pid, startedAt, program);
    }

    static OwnedProcess current() {
        return of(ProcessHandle.current().pid(), "java");
    }

    boolean isAlive() {
        return handle().isPresent();
    }

    /** The living process, if it is still the one that was started. A zombie has no program any more, and is dead. */
    Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isTheSame);
    }

    private boolean isTheSame(ProcessHandle handle) {
        ProcessHandle.Info info = handle.info();
        String command = info.command().orElse("");
        String name = command.substring(command.lastIndexOf('/') + 1);
        return info.startInstant()
                        .map(start -> Duration.between(startedAt, start).abs().compareTo(TOLERANCE) <= 0)
                        .orElse(false)
                && (name.equals(program) || HELPERS.contains(name));
    }
}

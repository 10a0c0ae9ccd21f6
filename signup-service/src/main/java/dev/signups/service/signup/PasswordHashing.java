package dev.signups.service.signup;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Hashes passwords on a few platform threads of its own, so that a crowd of them takes neither all cores nor the virtual
 * threads' carriers from signups without one.
 *
 * <p>A hash that cannot be had in time is refused with {@link HashingBusyException}, and not computed.
 */
@Component
class PasswordHashing implements AutoCloseable {

    private final BCryptPasswordEncoder bcrypt;
    private final ThreadPoolExecutor threads;
    private final long maxWaitNanos;
    private final Timer timer;

    PasswordHashing(SignupProperties properties, MeterRegistry meters) {
        SignupProperties.Password settings = properties.password();
        int count = settings.threads() > 0
                ? settings.threads()
                : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.bcrypt = new BCryptPasswordEncoder(settings.strength());
        this.threads = new ThreadPoolExecutor(
                count,
                count,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(settings.queue()),
                Thread.ofPlatform().name("password-hash-", 1).daemon().factory());
        this.maxWaitNanos = settings.maxWait().toNanos();
        this.timer = Timer.builder("signup.password.hash")
                .description("Computing time of one hash")
                .register(meters);
        Gauge.builder(
                        "signup.password.waiting",
                        threads,
                        pool -> pool.getQueue().size())
                .description("Passwords that wait to be hashed")
                .register(meters);
    }

    /** The salted bcrypt hash. */
    String hash(String password) {
        Future<String> hash;
        try {
            hash = threads.submit(() -> timer.record(() -> encode(password)));
        } catch (RejectedExecutionException e) {
            throw new HashingBusyException();
        }
        try {
            return hash.get(maxWaitNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            hash.cancel(false);
            throw new HashingBusyException();
        } catch (InterruptedException e) {
            hash.cancel(false);
            Thread.currentThread().interrupt();
            throw new HashingBusyException();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a password could not be hashed", e);
        }
    }

    private String encode(String password) {
        String hash = bcrypt.encode(password);
        if (hash == null) {
            throw new IllegalStateException("no hash for a password");
        }
        return hash;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

package dev.signups.fakeemail.send;

import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Runs things later, on two threads for all the sends in flight. */
@Component
class Delays {

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            2, Thread.ofPlatform().name("send-", 1).daemon().factory());

    void after(Duration delay, Runnable task) {
        var _ = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @PreDestroy
    void stop() {
        timer.shutdownNow();
    }
}

package dev.signups.service.signup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.util.unit.DataSize;

class PasswordHashingTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        requests.shutdownNow();
    }

    @Test
    void saltsEachHash() {
        try (PasswordHashing hashing = hashing(10, 4, Duration.ofSeconds(10))) {
            String first = hashing.hash("correct horse");

            assertThat(first).isNotEqualTo(hashing.hash("correct horse"));
            assertThat(new BCryptPasswordEncoder().matches("correct horse", first))
                    .isTrue();
        }
    }

    @Test
    void refusesMoreThanCanWait() {
        try (PasswordHashing hashing = hashing(14, 1, Duration.ofSeconds(30))) {
            List<Future<String>> running = IntStream.range(0, 2)
                    .mapToObj(i -> requests.submit(() -> hashing.hash("correct horse")))
                    .toList();
            await().until(() -> meters.get("signup.password.waiting").gauge().value() == 1);

            assertThatExceptionOfType(HashingBusyException.class).isThrownBy(() -> hashing.hash("correct horse"));
            assertThat(running).allSatisfy(hash -> assertThat(hash.get()).startsWith("$2a$14$"));
        }
    }

    @Test
    void refusesWhatCannotBeHadInTime() {
        try (PasswordHashing hashing = hashing(14, 4, Duration.ofMillis(100))) {
            assertThatExceptionOfType(HashingBusyException.class).isThrownBy(() -> hashing.hash("correct horse"));
        }
    }

    private PasswordHashing hashing(int strength, int queue, Duration maxWait) {
        return new PasswordHashing(
                new SignupProperties(
                        DataSize.ofKilobytes(16),
                        new SignupProperties.Password(strength, 1, queue, maxWait),
                        SignupProperties.WelcomeEmail.OUTBOX),
                meters);
    }
}

package dev.signups.service.signup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UserSignedUpTest {

    private static final Path CONTRACT = Path.of("../infra/contracts/UserSignedUp.v1.json");

    @Test
    void isTheContractUpToTheTimeThatTheOutboxAdds() throws IOException {
        UserSignedUp event = new UserSignedUp(
                UUID.fromString("0198f0c2-6b1e-7c3a-9f5d-2f1c8a4b7e60"), "grace.hopper@example.com", "Grace", "Hopper");

        String withTime = event.toJson().replaceFirst("}$", ",\"occurredAt\":\"2026-01-02T03:04:05.678Z\"}");

        assertThat(withTime).isEqualTo(Files.readString(CONTRACT).strip());
    }

    @Test
    void keepsItselfOutOfLogs() {
        assertThat(new UserSignedUp(new UUID(1, 2), "grace@example.com", "Grace", "Hopper").toString())
                .doesNotContain("Grace")
                .doesNotContain("grace");
    }
}

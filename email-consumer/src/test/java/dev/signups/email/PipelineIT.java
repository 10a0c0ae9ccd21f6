package dev.signups.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** From a record in Kafka to an e-mail at the provider. */
@Tag("contract")
class PipelineIT {

    @Test
    void sendsOneEmailPerSignupAndShowsIt() throws Exception {
        try (Setting setting = new Setting()) {
            App app = setting.start();
            byte[] contract = Files.readAllBytes(Path.of("../infra/contracts/UserSignedUp.v1.json"));
            setting.publish("0198f0c2-6b1e-7c3a-9f5d-2f1c8a4b7e60", "UserSignedUp", contract);
            setting.signUp(0, 200);
            await().atMost(Duration.ofSeconds(20)).until(() -> setting.provider.acceptedUnique() == 201);
            await().until(() -> setting.count("status = 'SENT'") == 201);
            JsonNode view = app.operator.get("/api/emails/0198f0c2-6b1e-7c3a-9f5d-2f1c8a4b7e60/welcome_email");
            assertThat(view.path("status").asString()).isEqualTo("SENT");
            assertThat(view.path("attempts").asInt()).isEqualTo(1);
            assertThat(view.path("providerMessageId").asString()).startsWith("m-");
            assertThat(view.propertyNames())
                    .containsExactly(
                            "userId",
                            "emailType",
                            "status",
                            "attempts",
                            "nextAttemptAt",
                            "lastError",
                            "createdAt",
                            "sentAt",
                            "providerMessageId");
            assertThat(setting.provider.calls())
                    .filteredOn(call -> call.to().equals("grace.hopper@example.com"))
                    .singleElement()
                    .satisfies(call -> {
                        assertThat(call.subject()).isEqualTo("Welcome, Grace!");
                        assertThat(call.text()).contains("Hello Grace Hopper,");
                        assertThat(call.html()).contains("<p>Hello Grace Hopper,</p>");
                        assertThat(call.key()).isEqualTo("welcome_email:0198f0c2-6b1e-7c3a-9f5d-2f1c8a4b7e60");
                    });
            await().until(() -> app.operator.queue().path("depth").asLong() == 0);
            assertThat(setting.lag()).isZero();
            assertThat(app.operator.readiness().statusCode())
                    .as(app.operator.readiness().body())
                    .isEqualTo(200);
        }
    }
}

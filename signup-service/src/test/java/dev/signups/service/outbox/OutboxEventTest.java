package dev.signups.service.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxEventTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "User", "us er", "../user", "user\u0000"})
    void refusesAnAggregateTypeThatIsNoPartOfATopic(String type) {
        assertThatIllegalArgumentException().isThrownBy(() -> event(type, "{\"a\":1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "\"text\"", "{\"a\":1"})
    void refusesAPayloadThatTheTimeCannotBeAddedTo(String payload) {
        assertThatIllegalArgumentException().isThrownBy(() -> event("user", payload));
    }

    @Test
    void keepsThePayloadOutOfLogs() {
        assertThat(event("user", "{\"email\":\"grace@example.com\"}").toString())
                .doesNotContain("grace")
                .contains("aggregateType=user");
    }

    private static OutboxEvent event(String aggregateType, String payload) {
        return new OutboxEvent(new UUID(1, 2), aggregateType, "id", "Happened", payload, null);
    }
}

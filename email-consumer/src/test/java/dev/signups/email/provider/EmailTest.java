package dev.signups.email.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class EmailTest {

    @Test
    void refusesControlCharactersInHeaders() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Email("a@b.c\r\nBcc: x@y.z", "Hello", "text", null))
                .withMessageNotContaining("x@y.z");
        assertThatIllegalArgumentException().isThrownBy(() -> new Email("a@b.c", "Hello\nBcc: x@y.z", "text", null));
    }

    @Test
    void doesNotShowItself() {
        assertThat(new Email("a@b.c", "Hello Grace", "text", null))
                .asString()
                .doesNotContain("a@b.c")
                .doesNotContain("Grace");
    }

    @Test
    void keyIsTheSameInEveryAttempt() {
        assertThat(IdempotencyKey.of("welcome_email", "u-1", 0).value()).isEqualTo("welcome_email:u-1");
        assertThat(IdempotencyKey.of("welcome_email", "u-1", 2).value()).isEqualTo("welcome_email:u-1:2");
    }
}

package dev.signups.fakeemail.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"ada@example.com", "ada+tag@example.com", "\"ada l\"@example.com", "ada@bücher.example", "a@b"})
    void takesAnAddressOfAnyShape(String to) {
        assertThat(new Mail(to, "Welcome", "Hello", null).errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ada", "@example.com", "ada@", "ada@example.com\r\nBcc: x@y", " ada@example.com"})
    void rejectsWhatIsNoAddress(String to) {
        assertThat(new Mail(to, "Welcome", "Hello", null).errors()).containsOnlyKeys("to");
    }

    @Test
    void namesEveryBadField() {
        assertThat(new Mail(null, "two\nlines", " ", null).errors()).containsOnlyKeys("to", "subject", "text");
        assertThat(new Mail("a@b", "s".repeat(999), "t", null).errors()).containsOnlyKeys("subject");
        assertThat(new Mail("a".repeat(320) + "@b", "s", "t", null).errors()).containsOnlyKeys("to");
    }

    @Test
    void showsNothingOfItself() {
        assertThat(new Mail("ada@example.com", "Welcome", "Hello", null).toString())
                .isEqualTo("Mail");
    }
}

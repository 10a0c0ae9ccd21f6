package dev.signups.service.signup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmailAddressTest {

    private static final String LONGEST_LOCAL = "l".repeat(64);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "grace@example.com",
                "g@e.co",
                "Grace.Hopper+navy@Mail.Example.COM",
                "o'hara@example.com",
                "customer/department=shipping@example.com",
                "!#$%&'*+-/=?^_`{|}~@example.com",
                "\"john doe\"@example.com",
                "\"a@b\\\"c\"@example.com",
                "1234567890@example.museum",
                "user@xn--bcher-kva.example",
                "user@bücher.example",
                "用户@例え.テスト",
                "δοκιμή@παράδειγμα.δοκιμή",
                "user@123.example",
                "user@3com.com"
            })
    void acceptsWhatMailServersAccept(String address) {
        assertThat(EmailAddress.flaw(address)).isNull();
        assertThat(new EmailAddress(address).value()).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "@example.com",
                "grace@",
                "grace@@example.com",
                "a@b@example.com",
                "grace hopper@example.com",
                ".grace@example.com",
                "grace.@example.com",
                "grace..hopper@example.com",
                "\"grace@example.com",
                "\"gr\"ace@example.com",
                "grace@example",
                "grace@.example.com",
                "grace@example.com.",
                "grace@example..com",
                "grace@-example.com",
                "grace@example-.com",
                "grace@exa_mple.com",
                "grace@exa mple.com",
                "grace@example.123",
                "grace@127.0.0.1",
                "grace@[127.0.0.1]",
                "grace@example。com",
                "grace\u200B@example.com",
                "grace\u00A0hopper@example.com",
                "Grace <grace@example.com>",
                "grace@example.com,ada@example.com",
                "grace@exam\u202Eple.com"
            })
    void refusesWhatNoneWould(String address) {
        assertThat(EmailAddress.flaw(address)).isNotNull();
        assertThatIllegalArgumentException().isThrownBy(() -> new EmailAddress(address));
    }

    @Test
    void countsBytesAndLabels() {
        assertThat(EmailAddress.flaw(LONGEST_LOCAL + "@example.com")).isNull();
        assertThat(EmailAddress.flaw(LONGEST_LOCAL + "l@example.com")).contains("before the @");
        assertThat(EmailAddress.flaw("é".repeat(33) + "@example.com")).contains("before the @");
        assertThat(EmailAddress.flaw("g@" + "d".repeat(63) + ".com")).isNull();
        assertThat(EmailAddress.flaw("g@" + "d".repeat(64) + ".com")).contains("domain");
        String longest = LONGEST_LOCAL + "@" + ("d".repeat(62) + ".").repeat(2) + "d".repeat(59) + ".com";
        assertThat(longest).hasSize(254);
        assertThat(EmailAddress.flaw(longest)).isNull();
        assertThat(EmailAddress.flaw(longest.replace(".com", ".comm"))).contains("254 bytes");
    }

    @Test
    void trimsAndComposes() {
        assertThat(EmailAddress.normalise("  jose\u0301@example.com ")).isEqualTo("jos\u00E9@example.com");
    }

    @Test
    void keepsItselfOutOfLogs() {
        assertThat(new EmailAddress("grace@example.com").toString()).doesNotContain("grace");
    }
}

package dev.signups.service.signup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignupRequestTest {

    @Test
    void tidiesWhatItAccepts() {
        SignupRequest request = SignupRequest.of(aSignup("email", " Grace@Example.com ", "firstName", " Grace "));

        assertThat(request.email().value()).isEqualTo("Grace@Example.com");
        assertThat(request.firstName()).isEqualTo("Grace");
        assertThat(request.password()).isNull();
    }

    @Test
    void namesEveryBadFieldAtOnce() {
        assertThat(badFields(Map.of("email", "nobody", "firstName", 7, "password", "short")))
                .extracting(BadField::field)
                .containsExactly("email", "firstName", "lastName", "password");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a\u0000b",
                "a\r\nBcc: b",
                "a\n",
                "\ta",
                "a\u007F",
                "a\u0085b",
                "a\u2028b",
                "\uD83D",
                "a\uDE00b",
                "a\u202Eb"
            })
    void refusesNamesThatCouldBreakAnEmail(String name) {
        assertThat(badFields(aSignup("lastName", name)))
                .extracting(BadField::field)
                .containsExactly("lastName");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"O'Neill", "Jean-Luc", "Núñez de la Peña", "李", "<b>Bobby</b>", "می‌خواهم", "😀", "X Æ A-12"})
    void acceptsNamesOfPeople(String name) {
        assertThat(SignupRequest.of(aSignup("lastName", name)).lastName()).isEqualTo(name);
    }

    @Test
    void countsCharactersOfNamesAndBytesOfPasswords() {
        assertThat(SignupRequest.of(aSignup("lastName", "😀".repeat(100))).lastName())
                .isNotEmpty();
        assertThat(badFields(aSignup("lastName", "n".repeat(101)))).hasSize(1);
        assertThat(SignupRequest.of(aSignup("password", "p".repeat(72))).password())
                .hasSize(72);
        assertThat(SignupRequest.of(aSignup("password", "éééé")).password()).hasSize(4);
        assertThat(badFields(aSignup("password", "é".repeat(37)))).hasSize(1);
        assertThat(badFields(aSignup("password", "1234567"))).hasSize(1);
        assertThat(badFields(aSignup("password", ""))).hasSize(1);
    }

    @Test
    void repeatsNoValue() {
        assertThat(badFields(aSignup("email", "s3cret", "password", "s3cret")).toString())
                .doesNotContain("s3cret");
        assertThat(SignupRequest.of(aSignup("password", "s3cret-enough")).toString())
                .doesNotContain("s3cret")
                .doesNotContain("Hopper");
    }

    private static Map<String, Object> aSignup(String... changes) {
        Map<String, Object> fields =
                new HashMap<>(Map.of("email", "grace@example.com", "firstName", "Grace", "lastName", "Hopper"));
        for (int i = 0; i < changes.length; i += 2) {
            fields.put(changes[i], changes[i + 1]);
        }
        return fields;
    }

    private static List<BadField> badFields(Map<String, ?> fields) {
        return assertThatExceptionOfType(InvalidSignupException.class)
                .isThrownBy(() -> SignupRequest.of(fields))
                .actual()
                .badFields();
    }
}

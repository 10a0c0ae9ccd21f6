package dev.signups.email.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.email.delivery.NewDelivery;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class EventReaderTest {

    private static final Instant WRITTEN = Instant.parse("2026-01-02T03:04:05Z");

    private final EventReader reader = new EventReader(List.of(new UserSignedUp()), new JsonMapper());
    private final Map<String, String> headers =
            new HashMap<>(Map.of("ce_type", "UserSignedUp", "id", "e-1", "ce_time", "2026-01-02T03:04:05.678Z"));

    private Reading read(String json) {
        return reader.read(json.getBytes(StandardCharsets.UTF_8), headers, WRITTEN);
    }

    private NewDelivery asked(String json) {
        return ((Reading.Asked) read(json)).delivery();
    }

    @Test
    void readsASignup() {
        NewDelivery delivery = asked(
                "{\"userId\":\"u-1\",\"email\":\"a@example.com\",\"firstName\":\"Grace\",\"lastName\":\"Hopper\",\"new\":1}");
        assertThat(delivery.id().userId()).isEqualTo("u-1");
        assertThat(delivery.id().emailType()).isEqualTo("welcome_email");
        assertThat(delivery.recipient()).isEqualTo("a@example.com");
        assertThat(delivery.arguments()).containsEntry("firstName", "Grace").containsEntry("lastName", "Hopper");
        assertThat(delivery.eventId()).isEqualTo("e-1");
        assertThat(delivery.eventTime()).isEqualTo(Instant.parse("2026-01-02T03:04:05.678Z"));
    }

    @Test
    void takesTheRecordsTimeWhereTheEventHasNone() {
        headers.put("ce_time", "yesterday");
        assertThat(asked("{\"userId\":\"u-1\",\"email\":\"a@example.com\"}").eventTime())
                .isEqualTo(WRITTEN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"userId\":\"u-1\"} | field 'email' is missing",
                "{\"userId\":\"u-1\",\"email\":null} | field 'email' is missing",
                "{\"userId\":\"u-1\",\"email\":7} | field 'email' is missing",
                "{\"userId\":\"u-1\",\"email\":\"nobody\"} | field 'email' is not an address",
                "{\"userId\":\"u-1\",\"email\":\"a@b.c\\r\\nBcc: x@y.z\"} | field 'email' is not an address",
                "{\"userId\":\"u-1\",\"email\":\"a\\u0000@b.c\"} | field 'email' is not an address",
                "{\"email\":\"a@example.com\"} | field 'userId' is missing",
                "{\"userId\":\"u 1\\r\\n\",\"email\":\"a@example.com\"} | field 'userId' is not an identifier",
                "{\"userId\":\"u-1\" | not JSON",
                "[] | not a JSON object",
                "'' | no value",
            })
    void saysWhatIsWrong(String json, String reason) {
        assertThat(read(json)).isEqualTo(new Reading.Bad(reason));
    }

    @Test
    void keepsBytesThatAreNoText() {
        assertThat(reader.read(new byte[] {(byte) 0xFF}, headers, WRITTEN)).isEqualTo(new Reading.Bad("not JSON"));
        assertThat(reader.read(null, headers, WRITTEN)).isEqualTo(new Reading.Bad("no value"));
        assertThat(reader.read(new byte[] {1}, Map.of(), WRITTEN))
                .isEqualTo(new Reading.Bad("header 'ce_type' is missing"));
        String deep = "[".repeat(100_000);
        assertThat(read(deep)).isEqualTo(new Reading.Bad("not JSON"));
    }

    @Test
    void skipsWhatNobodyAskedFor() {
        headers.put("ce_type", "UserDeleted");
        assertThat(reader.read(new byte[] {(byte) 0xFF}, headers, WRITTEN)).isEqualTo(new Reading.Skipped());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "grace+tag@example.com",
                "\\\"quoted name\\\"@example.com",
                "o'brien@example.com",
                "user@bücher.example",
                "用户@例子.广告"
            })
    void takesUnusualAddresses(String address) {
        assertThat(asked("{\"userId\":\"u-1\",\"email\":\"" + address + "\"}").recipient())
                .isEqualTo(address.replace("\\", ""));
    }

    @Test
    void keepsNamesOnOneLineAndOfDecentLength() {
        NewDelivery delivery = asked("{\"userId\":\"u-1\",\"email\":\"a@example.com\",\"firstName\":"
                + "\"Eve\\r\\nBcc: all@example.com\\u202E\\u0000\",\"lastName\":\"" + "\uD83D\uDE00".repeat(10_000)
                + "\"}");
        assertThat(delivery.arguments().get("firstName")).isEqualTo("Eve Bcc: all@example.com");
        String lastName = delivery.arguments().get("lastName");
        assertThat(lastName.codePointCount(0, lastName.length())).isEqualTo(100);
        assertThat(lastName).endsWith("\uD83D\uDE00…");
        assertThat(delivery).asString().doesNotContain("example.com").doesNotContain("Eve");
    }
}

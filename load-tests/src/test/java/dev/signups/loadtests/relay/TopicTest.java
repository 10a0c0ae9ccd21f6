package dev.signups.loadtests.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class TopicTest {

    private final Topic.Content content = new Topic.Content();
    private final BitSet table = new BitSet();

    @Test
    void findsNothingWrongWithWhatIsWhole() {
        table.set(0, 4);
        add("a", 0, 0);
        add("b", 1, 0);
        // order is that of a key
        add("a", 3, 0);
        add("b", 2, 0);

        assertThat(content.lost(table)).isZero();
        assertThat(content.unknown(table)).isZero();
        assertThat(content.duplicates()).isZero();
        assertThat(content.reordered()).isZero();
    }

    @Test
    void countsWhatIsLostRepeatedReorderedAndRolledBack() {
        table.set(0, 6);
        add("a", 0, 0);
        add("a", 2, 0);
        add("a", 1, 0);
        add("a", 3, 0);
        add("a", 3, 0);
        add("b", 9, 0);

        assertThat(content.lost(table)).isEqualTo(2);
        assertThat(content.duplicates()).isEqualTo(1);
        assertThat(content.reordered()).isEqualTo(1);
        assertThat(content.unknown(table)).isEqualTo(1);
    }

    @Test
    void tellsTheRateOfEachHalfByTheTimeOfAppend() {
        for (int n = 0; n < 100; n++) {
            add("a", n, n < 50 ? 1000 + n * 2 : 2000 + n);
        }

        assertThat(content.rate(0, 50)).isBetween(500.0, 520.0);
        assertThat(content.rate(50, 100)).isBetween(1000.0, 1030.0);
    }

    private void add(String key, int number, long appendedAt) {
        byte[] value = ("{\"n\":" + number + ",\"email\":\"\"}").getBytes(StandardCharsets.UTF_8);
        content.add(new ConsumerRecord<>(
                "topic",
                0,
                0,
                appendedAt,
                TimestampType.LOG_APPEND_TIME,
                1,
                value.length,
                key.getBytes(StandardCharsets.UTF_8),
                value,
                new RecordHeaders(),
                Optional.empty()));
    }
}

package dev.signups.loadtests.faults;

import dev.signups.loadtests.Pipeline;
import dev.signups.loadtests.delivery.Provider;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What is where when all is over. */
record Count(
        long lostUsers, long lostEvents, long lostEmails, long duplicateEvents, long duplicateEmails, String summary) {

    private static final String TOPIC = "outbox.event.user";

    /** Waits until every user's e-mail is accepted, or the limit is over, and counts. */
    static Count of(Pipeline pipeline, Provider provider, Set<String> answered, Duration limit) throws Exception {
        Set<String> users = column(pipeline, "select lower(email) from users");
        boolean _ = provider.awaitAccepted(users.size(), limit);
        Set<String> rows = column(pipeline, "select id::text from outbox");
        List<String> records = records(pipeline.bootstrapServers());
        Set<String> published = new HashSet<>(records);
        Map<String, Provider.Send> sends = provider.sends();
        long emails = users.stream()
                .filter(user -> sends.containsKey(user) && sends.get(user).accepted() > 0)
                .count();
        long acceptances =
                sends.values().stream().mapToLong(Provider.Send::accepted).sum();
        long unique = sends.values().stream().filter(s -> s.accepted() > 0).count();
        return new Count(
                answered.stream()
                        .filter(address -> !users.contains(address.toLowerCase(Locale.ROOT)))
                        .count(),
                rows.stream().filter(id -> !published.contains(id)).count(),
                users.size() - emails,
                records.size() - published.size(),
                acceptances - unique,
                "users %d, outbox rows %d, records %d, e-mails accepted %d of %d addresses, events of nobody %d"
                        .formatted(
                                users.size(),
                                rows.size(),
                                records.size(),
                                acceptances,
                                unique,
                                published.stream()
                                        .filter(id -> !rows.contains(id))
                                        .count()));
    }

    private static Set<String> column(Pipeline pipeline, String query) throws SQLException {
        Set<String> values = new HashSet<>();
        try (Connection connection = pipeline.connect("signup");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    /** The ids of all records, as a subscriber reads them. */
    private static List<String> records(String bootstrapServers) {
        List<String> ids = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(TOPIC).stream()
                    .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                    .toList();
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofMillis(200))) {
                    Header id = entry.headers().lastHeader("id");
                    ids.add(id == null ? "" : new String(id.value(), StandardCharsets.UTF_8));
                }
            }
        }
        return ids;
    }
}

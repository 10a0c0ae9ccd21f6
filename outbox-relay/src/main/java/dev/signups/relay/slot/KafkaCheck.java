package dev.signups.relay.slot;

import dev.signups.relay.publish.PublishProperties;
import dev.signups.relay.slot.Problem.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;

/** Looks at Kafka: is it there, and do the event topics keep what they are given. */
final class KafkaCheck {

    private KafkaCheck() {}

    static List<Problem> run(PublishProperties kafka) {
        List<Problem> problems = new ArrayList<>();
        try (Admin admin = Admin.create(kafka.clients(Map.of(
                "client.id", "outbox-relay-check", "default.api.timeout.ms", 5000, "request.timeout.ms", 4000)))) {
            int brokers = admin.describeCluster().nodes().get().size();
            List<ConfigResource> topics = admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith(kafka.topicPrefix()))
                    .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                    .toList();
            admin.describeConfigs(topics)
                    .all()
                    .get()
                    .forEach((topic, config) -> check(kafka, topic.name(), config, brokers, problems));
            admin.close(Duration.ofSeconds(1));
        } catch (ExecutionException | KafkaException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            problems.add(new Problem(
                    Severity.WARNING,
                    "Kafka does not answer (" + cause.getClass().getSimpleName() + ")",
                    "check KAFKA_BOOTSTRAP_SERVERS and the brokers; nothing is published meanwhile and nothing lost"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return problems;
    }

    private static void check(
            PublishProperties kafka, String topic, Config config, int brokers, List<Problem> problems) {
        if (brokers > 1 && value(config, "min.insync.replicas") < 2) {
            problems.add(new Problem(
                    Severity.WARNING,
                    "topic " + topic + " has min.insync.replicas=1: an acknowledged event can be lost with one broker",
                    "kafka-configs --alter --topic " + topic + " --add-config min.insync.replicas=2"));
        }
        if (value(config, "max.message.bytes") < kafka.maxRecordSize().toBytes()) {
            problems.add(new Problem(
                    Severity.WARNING,
                    "topic " + topic + " takes records up to " + value(config, "max.message.bytes")
                            + " bytes, less than relay.kafka.max-record-size: larger rows become dead letters",
                    "kafka-configs --alter --topic " + topic + " --add-config max.message.bytes="
                            + kafka.maxRecordSize().toBytes()));
        }
    }

    private static long value(Config config, String name) {
        return config.get(name) == null
                ? Long.MAX_VALUE
                : Long.parseLong(config.get(name).value());
    }
}

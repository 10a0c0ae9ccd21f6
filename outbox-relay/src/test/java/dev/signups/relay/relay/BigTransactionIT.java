package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalStack;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BigTransactionIT {

    private final String kafka = LocalStack.kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(LocalStack.postgres());

    /** Ninety megabytes of rows in one transaction, at a heap that could not hold them. */
    @Test
    void passesInBoundedMemoryOverAKill() {
        publishOverKills(75_000, 1200, "96m", 1);
    }

    @Test
    @Tag("long")
    void twoHundredThousandRowsPassInBoundedMemoryOverKills() {
        publishOverKills(200_000, 1200, "256m", 2);
    }

    /** Killed again and again on the way; a standby and the health of the leader answer meanwhile. */
    private void publishOverKills(int rows, int bytes, String heap, int kills) {
        String[] properties = {"relay.engine.batch-rows=1000"};
        RelayProcess leader =
                RelayProcess.start(outbox, kafka, heap, Map.of(), properties).awaitReady();
        RelayProcess standby =
                RelayProcess.start(outbox, kafka, heap, Map.of(), properties).awaitReady();
        try (Topic topic = new Topic(kafka, outbox.database() + ".event.user")) {
            outbox.asOwner("insert into outbox(id, aggregatetype, aggregateid, type, payload)"
                    + " select gen_random_uuid(), 'user', (i % 100)::text, 'UserSignedUp',"
                    + " json_build_object('n', i, 's', repeat(md5(i::text), " + bytes / 32 + "))"
                    + " from generate_series(1, " + rows + ") i");
            for (int kill = 1; kill <= kills; kill++) {
                topic.awaitMore(rows * kill / (kills + 2), Duration.ofMinutes(3));
                assertThat(leader.get("/actuator/health/liveness").status()).isEqualTo(200);
                assertThat(standby.readiness()).isEqualTo(200);
                assertThat(standby.role()).isEqualTo("standby");
                leader.kill();
                leader = standby;
                if (kill < kills) {
                    standby = RelayProcess.start(outbox, kafka, heap, Map.of(), properties)
                            .awaitReady();
                }
            }
            topic.await(rows, Duration.ofMinutes(4));
            assertThat(leader.isAlive()).as(leader.log()).isTrue();
            assertThat(topic.ids()).hasSize(rows).doesNotHaveDuplicates();
            Map<String, Integer> last = new HashMap<>();
            topic.records().forEach(record -> {
                int n = Integer.parseInt(record.value().replaceAll("(?s)^\\D*(\\d+).*$", "$1"));
                Integer before = last.put(record.key(), n);
                assertThat(n).as("order of key " + record.key()).isEqualTo(before == null ? n : before + 100);
            });
        } finally {
            leader.close();
            standby.close();
        }
    }
}

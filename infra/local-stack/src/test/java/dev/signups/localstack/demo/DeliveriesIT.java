package dev.signups.localstack.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.LocalPostgres;
import dev.signups.localstack.LocalStack;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveriesIT {

    private final LocalPostgres postgres = LocalStack.postgres();
    private final String database = postgres.createDatabase("email");
    private final List<String> complaints = new ArrayList<>();

    @Test
    void findsWhatIsThroughAmongTheAsked() {
        postgres.execute(database, """
                create table email_delivery(user_id text, email_type text, status text, sent_at timestamptz)""");
        postgres.execute(database, """
                insert into email_delivery values
                  ('sent', 'welcome_email', 'SENT', '2026-01-02 03:04:05.678Z'),
                  ('other', 'reminder', 'SENT', now()),
                  ('pending', 'welcome_email', 'PENDING', null),
                  ('failed', 'welcome_email', 'FAILED', null),
                  ('not asked', 'welcome_email', 'SENT', now())""");
        try (Deliveries deliveries = deliveries()) {
            List<Settled> settled = deliveries.of(List.of("sent", "other", "pending", "failed", "unknown"));
            assertThat(settled)
                    .contains(new Settled(
                            "sent",
                            true,
                            Instant.parse("2026-01-02T03:04:05.678Z").toEpochMilli()))
                    .extracting(Settled::userId)
                    .containsExactlyInAnyOrder("sent", "failed");
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void saysOnceThatTheLedgerIsNotWhatItKnows() {
        try (Deliveries deliveries = deliveries()) {
            assertThat(deliveries.of(List.of("a"))).isEmpty();
            assertThat(deliveries.of(List.of("a"))).isEmpty();
        }
        assertThat(complaints).singleElement().asString().contains("email_delivery");
    }

    private Deliveries deliveries() {
        return new Deliveries(postgres.jdbcUrl(database), complaints::add);
    }
}

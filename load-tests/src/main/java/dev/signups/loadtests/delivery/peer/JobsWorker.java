package dev.signups.loadtests.delivery.peer;

import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The article's stage 2: a table of jobs and a worker that claims ten of them every half second and sends them one after
 * another inside the transaction that holds them. A job whose send failed stays as it was.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
            "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration"
        })
@EnableScheduling
public class JobsWorker {

    /** The table that the worker reads and that a signup would write. */
    public static final String TABLE = """
            create table if not exists jobs (
              id         bigint generated always as identity primary key,
              email      text not null,
              status     text not null default 'PENDING',
              created_at timestamptz not null default now())""";

    private static final int BATCH = 10;

    /** Runs until it is killed. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(JobsWorker.class)
                .web(WebApplicationType.NONE)
                .run(arguments);
    }

    @Bean
    Worker worker(JdbcClient jdbc, TransactionTemplate transactions, @Value("${peer.provider}") String provider) {
        return new Worker(jdbc, transactions, new EmailClient(provider));
    }

    private record Job(long id, String email) {}

    /** The poll. */
    static class Worker {

        private final JdbcClient jdbc;
        private final TransactionTemplate transactions;
        private final EmailClient emails;

        Worker(JdbcClient jdbc, TransactionTemplate transactions, EmailClient emails) {
            this.jdbc = jdbc;
            this.transactions = transactions;
            this.emails = emails;
        }

        @Scheduled(fixedDelay = 500)
        void poll() {
            transactions.executeWithoutResult(status -> claim().forEach(this::send));
        }

        private List<Job> claim() {
            return jdbc.sql("""
                            select id, email from jobs where status = 'PENDING'
                            order by id limit ? for update skip locked""")
                    .param(BATCH)
                    .query((row, number) -> new Job(row.getLong("id"), row.getString("email")))
                    .list();
        }

        private void send(Job job) {
            try {
                emails.sendWelcome(job.email());
                jdbc.sql("update jobs set status = 'SENT' where id = ?")
                        .param(job.id())
                        .update();
            } catch (EmailClient.NotSentException e) {
                // no retries of its own: the job is claimed again with the next ten
            }
        }
    }
}

package dev.signups.containerstack;

import dev.signups.localstack.Kafka;
import dev.signups.localstack.Postgres;
import dev.signups.localstack.Stack;
import java.util.List;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.MountableFile;

/** One PostgreSQL and one Kafka container for all tests of a JVM, started when first asked for and ended with the JVM. */
public final class ContainerStack implements Stack {

    private static final String POSTGRES_IMAGE = "postgres:17";
    private static final String KAFKA_IMAGE = "apache/kafka:4.2.1";

    /** For the service loader. */
    public ContainerStack() {}

    @Override
    public Postgres postgres() {
        return RunningPostgres.SERVER;
    }

    @Override
    public Kafka kafka() {
        return RunningKafka.CONTAINER::getBootstrapServers;
    }

    @Override
    public List<Class<?>> connections() {
        return List.of(KafkaConnection.class);
    }

    /** For applications that use Spring's Kafka. Databases are not here: each test has one of its own. */
    @Configuration(proxyBeanMethods = false)
    public static class KafkaConnection {

        @Bean(destroyMethod = "")
        @ServiceConnection
        KafkaContainer kafka() {
            return RunningKafka.CONTAINER;
        }
    }

    private static final class RunningPostgres {

        static final Postgres SERVER = start();

        private static Postgres start() {
            PostgreSQLContainer container = new PostgreSQLContainer(POSTGRES_IMAGE)
                    .withUsername("postgres")
                    // the port is the loopback interface's, and the data a test's
                    .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
                    .withCopyFileToContainer(
                            MountableFile.forClasspathResource("postgres/init.sql"),
                            "/docker-entrypoint-initdb.d/init.sql");
            // the library's own command turns fsync off
            container.setCommand(
                    "postgres",
                    "-cwal_level=logical",
                    "-cmax_replication_slots=300",
                    "-cmax_wal_senders=60",
                    "-cmax_slot_wal_keep_size=1GB",
                    "-cmax_connections=200");
            container.start();
            String address = "jdbc:postgresql://" + container.getHost() + ":"
                    + container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT) + "/";
            return database -> address + database;
        }
    }

    private static final class RunningKafka {

        static final KafkaContainer CONTAINER = start();

        /** An application that is closed closes its container beans, and this one is all applications'. */
        private static final class Shared extends KafkaContainer {

            Shared() {
                super(KAFKA_IMAGE);
            }

            @Override
            public void stop() {
                // ends with the JVM
            }
        }

        private static KafkaContainer start() {
            KafkaContainer container = new Shared()
                    .withEnv("KAFKA_NUM_PARTITIONS", "12")
                    .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                    .withEnv("KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS", "4")
                    .withEnv("KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS", "4")
                    .withEnv("KAFKA_ADD_PARTITIONS_TO_TXN_RETRY_BACKOFF_MS", "1");
            container.start();
            return container;
        }
    }
}

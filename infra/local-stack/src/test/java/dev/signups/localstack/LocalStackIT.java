package dev.signups.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStackIT {

    @TempDir
    Path folder;

    @Test
    void postgresIsDurableAndLogical() {
        LocalPostgres postgres = LocalStack.postgres();
        for (String setting : new String[] {"fsync", "synchronous_commit", "full_page_writes"}) {
            assertThat(postgres.query("postgres", "show " + setting))
                    .as(setting)
                    .isEqualTo("on");
        }
        assertThat(postgres.query("postgres", "show wal_level")).isEqualTo("logical");
    }

    @Test
    void rolesHaveTheLeastPrivileges() {
        assertThat(LocalStack.postgres().query("postgres", """
                select string_agg(rolname || ':' || rolsuper || rolreplication || rolcreatedb || rolcreaterole, ' '
                                  order by rolname)
                from pg_roles where rolname in ('signup', 'relay', 'email')"""))
                .isEqualTo("email:falsefalsefalsefalse relay:falsetruefalsefalse signup:falsefalsefalsefalse");
    }

    @Test
    void committedRowsSurviveKillOfPostgres() {
        try (LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"), 0)) {
            postgres.execute("signup", "create table kept(id int)");
            postgres.execute("signup", "insert into kept values (42)");
            postgres.kill();
            assertThat(postgres.isRunning()).isFalse();
            postgres.start();
            assertThat(postgres.query("signup", "select id from kept")).isEqualTo("42");
        }
    }

    @Test
    void acknowledgedRecordsSurviveKillOfKafka() throws Exception {
        try (LocalKafka kafka = LocalKafka.start(folder.resolve("kafka"), 0)) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                admin.createTopics(java.util.List.of(new NewTopic("kept", 1, (short) 1)))
                        .all()
                        .get();
            }
            Properties properties = new Properties();
            properties.put("bootstrap.servers", kafka.bootstrapServers());
            properties.put("acks", "all");
            try (KafkaProducer<String, String> producer =
                    new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
                assertThat(producer.send(new ProducerRecord<>("kept", "k", "v"))
                                .get()
                                .offset())
                        .isZero();
                kafka.kill();
                kafka.start();
                assertThat(producer.send(new ProducerRecord<>("kept", "k", "v"))
                                .get()
                                .offset())
                        .isEqualTo(1);
            }
        }
    }
}

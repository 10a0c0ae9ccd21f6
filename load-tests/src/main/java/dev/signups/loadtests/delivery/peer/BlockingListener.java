package dev.signups.loadtests.delivery.peer;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.scheduling.annotation.EnableScheduling;
import tools.jackson.databind.json.JsonMapper;

/**
 * A listener that sends and waits, one thread per partition, with non-blocking retries on topics of their own: five
 * attempts, since each further one costs a topic and twelve consumers more.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
            "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration"
        })
@EnableKafka
@EnableScheduling
public class BlockingListener {

    /** Runs until it is killed. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(BlockingListener.class)
                .web(WebApplicationType.NONE)
                .run(arguments);
    }

    @Bean
    Listener listener(@Value("${peer.provider}") String provider) {
        return new Listener(new EmailClient(provider));
    }

    /** The listener of the topic and of its retry topics. */
    static class Listener {

        private static final JsonMapper JSON = new JsonMapper();

        private final EmailClient emails;

        Listener(EmailClient emails) {
            this.emails = emails;
        }

        @RetryableTopic(
                attempts = "5",
                backOff = @BackOff(delay = 1000, multiplier = 2, maxDelay = 300_000),
                numPartitions = "12",
                replicationFactor = "1")
        @KafkaListener(topics = "${peer.topic}", groupId = "peer-listener", concurrency = "12")
        void onEvent(String value) {
            emails.sendWelcome(JSON.readTree(value).path("email").asString());
        }
    }
}

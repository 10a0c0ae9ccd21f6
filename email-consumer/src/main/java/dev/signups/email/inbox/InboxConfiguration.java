package dev.signups.email.inbox;

import dev.signups.email.delivery.Dispatcher;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** The Kafka container of the inbox: one poll loop, on a platform thread, paused while the dispatcher has no room. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

    @Bean
    ConcurrentMessageListenerContainer<byte[], byte[]> inboxContainer(
            ConsumerFactory<?, ?> defaults, InboxProperties properties, EventListener listener, Dispatcher dispatcher) {
        ContainerProperties settings = new ContainerProperties(properties.topic());
        settings.setGroupId(properties.group());
        settings.setMessageListener(listener);
        settings.setAckMode(ContainerProperties.AckMode.MANUAL);
        settings.setSyncCommits(true);
        // a group that has finished nothing yet is seen by lag tools too
        settings.setAssignmentCommitOption(ContainerProperties.AssignmentCommitOption.ALWAYS);
        // a transaction's end marker takes an offset: without this, lag never gets to 0
        settings.setFixTxOffsets(true);
        settings.setPollTimeout(1000);
        settings.setPollTimeoutWhilePaused(Duration.ofMillis(20));
        settings.setShutdownTimeout(10_000);
        settings.setListenerTaskExecutor(platformThreads());

        ConcurrentMessageListenerContainer<byte[], byte[]> container = new ConcurrentMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<>(
                        consumer(defaults.getConfigurationProperties(), properties),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer()),
                settings);
        container.setBeanName("inbox");
        // what gets here is a bug: it is tried again for ever, loudly, and nothing is skipped
        container.setCommonErrorHandler(
                new DefaultErrorHandler(new FixedBackOff(1000, FixedBackOff.UNLIMITED_ATTEMPTS)));
        dispatcher.onRoom(room -> {
            if (room && container.isPauseRequested()) {
                container.resume();
            } else if (!room && !container.isPauseRequested()) {
                container.pause();
            }
        });
        return container;
    }

    /** Virtual threads may be on for the rest; a poll loop must not share its carrier (spring-kafka#3013, #3074). */
    private static SimpleAsyncTaskExecutor platformThreads() {
        SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("inbox-");
        executor.setVirtualThreads(false);
        return executor;
    }

    private static Map<String, Object> consumer(Map<String, Object> defaults, InboxProperties properties) {
        Map<String, Object> settings = new HashMap<>(defaults);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, properties.batch());
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);
        // a topic that the relay makes after we have started is seen soon
        settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 5000);
        settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, properties.groupProtocol());
        if ("classic".equals(properties.groupProtocol())) {
            settings.put(
                    ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                    Math.toIntExact(properties.sessionTimeout().toMillis()));
            settings.put(
                    ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                    Math.toIntExact(properties.sessionTimeout().toMillis() / 4));
            settings.put(
                    ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                    "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
        }
        if (!properties.instanceId().isEmpty()) {
            settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, properties.instanceId());
        }
        return settings;
    }
}

package dev.signups.relay.relay;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What an administrator does to topics while a relay works. */
final class KafkaAdmin implements AutoCloseable {

    private final Admin admin;

    KafkaAdmin(String bootstrapServers) {
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    void create(String topic, int partitions) {
        await(admin.createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
                .all());
    }

    boolean exists(String topic) {
        return await(admin.listTopics().names()).contains(topic);
    }

    void delete(String topic) {
        await(admin.deleteTopics(Set.of(topic)).all());
    }

    void set(String topic, String key, String value) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Collection<AlterConfigOp> change =
                List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET));
        await(admin.incrementalAlterConfigs(Map.of(resource, change)).all());
    }

    /** As retention does it: the topic is there and holds nothing any more. */
    void empty(String topic) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        await(admin.describeTopics(Set.of(topic)).allTopicNames())
                .get(topic)
                .partitions()
                .forEach(
                        partition -> latest.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest()));
        Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
        await(admin.listOffsets(latest).all())
                .forEach((partition, end) -> all.put(partition, RecordsToDelete.beforeOffset(end.offset())));
        await(admin.deleteRecords(all).all());
    }

    /** Nobody may do anything with the topic, until {@link #allow}. */
    void deny(String topic) {
        await(admin.createAcls(List.of(denial(topic))).all());
    }

    void allow(String topic) {
        await(admin.deleteAcls(List.of(denial(topic).toFilter())).all());
    }

    /** Holds the next requests of a client back for as long as its last ones were over the rate. */
    void quota(String clientId, Double bytesPerSecond) {
        await(admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, clientId)),
                        List.of(new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond)))))
                .all());
    }

    /** Whether a transaction of an id that begins like this has been open for at least so long. */
    boolean hasOpenTransaction(String transactionalId, Duration time) {
        ListTransactionsOptions open = new ListTransactionsOptions()
                .filterStates(Set.of(TransactionState.ONGOING))
                .filterOnDuration(time.toMillis());
        return await(admin.listTransactions(open).all()).stream()
                .anyMatch(each -> each.transactionalId().startsWith(transactionalId));
    }

    private static AclBinding denial(String topic) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:*", "*", AclOperation.WRITE, AclPermissionType.DENY));
    }

    private static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}

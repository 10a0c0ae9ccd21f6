package dev.signups.relay.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.localstack.Stack;
import dev.signups.relay.engine.EngineProperties.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("contract")
class ExactlyOnceIT {

    private final String kafka = Stack.current().kafka().bootstrapServers();
    private final Outbox outbox = Outbox.create(Stack.current().postgres());

    @ParameterizedTest
    @EnumSource(Reader.class)
    void publishesRowsThatWereThereBeforeTheFirstStartAndThoseThatComeAfter(Reader reader) {
        List<UUID> ids = new ArrayList<>(outbox.insert("a", "b", "c"));
        try (TestRelay relay = TestRelay.start(outbox, kafka, TestRelay.engine(reader, 4096));
                Topic topic = new Topic(kafka, outbox.database() + ".event.user")) {
            topic.await(3);
            ids.addAll(outbox.insert("a", "d"));
            ids.addAll(outbox.insert("a"));
            topic.await(6);
            assertThat(topic.ids()).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(relay.status().role()).isEqualTo(RelayStatus.Role.LEADER);
        }
        ids.addAll(outbox.insert("while-away"));
        try (var _ = TestRelay.start(outbox, kafka, TestRelay.engine(reader, 4096));
                Topic topic = new Topic(kafka, outbox.database() + ".event.user")) {
            topic.await(7);
            assertThat(topic.ids()).containsExactlyInAnyOrderElementsOf(ids);
        }
    }
}

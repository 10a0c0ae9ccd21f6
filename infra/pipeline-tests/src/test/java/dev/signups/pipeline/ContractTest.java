package dev.signups.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ContractTest {

    private static final JsonNode PUBLISHED = Contract.json("released/UserSignedUp.v1.schema.json");
    private static final JsonNode SCHEMA = Contract.json("UserSignedUp.v1.schema.json");
    private static final JsonNode SAMPLE = Contract.json("UserSignedUp.v1.json");

    @Test
    void schemaKeepsWhatWasPublished() {
        assertThat(Contract.breaks(PUBLISHED, SCHEMA)).isEmpty();
    }

    @Test
    void sampleSatisfiesTheSchemaAndHasNoMemberThatItDoesNotName() {
        assertThat(Contract.flaws(SCHEMA, SAMPLE)).isEmpty();
        assertThat(Contract.flaws(PUBLISHED, SAMPLE)).isEmpty();
        assertThat(SAMPLE.propertyNames())
                .containsExactlyElementsOf(SCHEMA.path("properties").propertyNames());
    }

    @Test
    void removedFieldIsNoticed() {
        assertThat(Contract.breaks(
                        PUBLISHED, changed(schema -> properties(schema).remove("email"))))
                .containsExactly("/email was removed");
        assertThat(Contract.flaws(SCHEMA, SAMPLE.deepCopy().asObject().without("email")))
                .isNotEmpty();
    }

    @Test
    void changedTypeIsNoticed() {
        assertThat(Contract.breaks(
                        PUBLISHED,
                        changed(schema -> ((ObjectNode) properties(schema).path("userId")).put("type", "integer"))))
                .containsExactly("/userId: type was \"string\" and is \"integer\"");
        assertThat(Contract.flaws(SCHEMA, SAMPLE.deepCopy().asObject().put("userId", 17)))
                .isNotEmpty();
        assertThat(Contract.flaws(SCHEMA, SAMPLE.deepCopy().asObject().put("occurredAt", "yesterday")))
                .isNotEmpty();
    }

    @Test
    void fieldThatMayBeMissingFromNowOnIsNoticed() {
        assertThat(Contract.breaks(
                        PUBLISHED,
                        changed(schema -> schema.withArray("required").remove(0))))
                .containsExactly("/userId is not required any more");
    }

    @Test
    void newFieldIsNoBreak() {
        assertThat(Contract.breaks(
                        PUBLISHED,
                        changed(schema -> properties(schema).putObject("locale").put("type", "string"))))
                .isEmpty();
        assertThat(Contract.flaws(PUBLISHED, SAMPLE.deepCopy().asObject().put("locale", "en")))
                .isEmpty();
    }

    @Test
    void asyncApiDescribesTheTopicAndRefersToTheSchema() {
        JsonNode document = Contract.yaml(Contract.FOLDER.resolve("asyncapi.yaml"));
        assertThat(document.path("asyncapi").asString()).isEqualTo("3.0.0");
        assertThat(document.at("/channels/users/address").asString()).isEqualTo("outbox.event.user");
        assertThat(document.findValuesAsString("$ref"))
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                reference.startsWith("#")
                                        ? document.at(reference.substring(1))
                                        : Contract.json(reference))
                        .isInstanceOf(ObjectNode.class));
        assertThat(document.at("/components/messages/UserSignedUp/payload/schema/$ref")
                        .asString())
                .isEqualTo("UserSignedUp.v1.schema.json");
    }

    private static JsonNode changed(Consumer<ObjectNode> change) {
        ObjectNode copy = PUBLISHED.deepCopy().asObject();
        change.accept(copy);
        return copy;
    }

    private static ObjectNode properties(ObjectNode schema) {
        return (ObjectNode) schema.path("properties");
    }
}

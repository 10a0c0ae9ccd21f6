package dev.signups.fakeemail.send;

import java.util.EnumMap;
import java.util.Map;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Refusals as JSON; those without errors are written once and kept, since every fifth answer is one. */
@Component
class ProblemWriter {

    private final JsonMapper json;
    private final Map<Refusal, byte[]> plain = new EnumMap<>(Refusal.class);

    ProblemWriter(JsonMapper json) {
        this.json = json;
        for (Refusal refusal : Refusal.values()) {
            plain.put(refusal, json.writeValueAsBytes(problem(refusal)));
        }
    }

    byte[] bytesOf(Answer.Refused refused) {
        byte[] known = plain.get(refused.why());
        if (known != null && refused.errors().isEmpty()) {
            return known;
        }
        ObjectNode problem = problem(refused.why());
        ObjectNode errors = problem.putObject("errors");
        refused.errors().forEach(errors::put);
        return json.writeValueAsBytes(problem);
    }

    private ObjectNode problem(Refusal refusal) {
        return json.createObjectNode()
                .put("type", refusal.type())
                .put("title", refusal.title())
                .put("status", refusal.status());
    }
}

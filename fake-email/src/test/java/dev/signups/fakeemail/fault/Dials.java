package dev.signups.fakeemail.fault;

import dev.signups.fakeemail.SettableClock;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A plan with the defaults, turned by JSON, in which ' stands for ". */
final class Dials {

    final SettableClock clock = new SettableClock();
    final FaultPlan plan = new FaultPlan(
            new FaultSettings(
                    2000,
                    4000,
                    0.2,
                    0,
                    0,
                    0,
                    60_000,
                    List.of(),
                    List.of(),
                    null,
                    null,
                    1,
                    RetryAfterFormat.SECONDS,
                    true,
                    86_400,
                    1L),
            clock);
    private final JsonMapper json = JsonMapper.builder().build();
    final SettingsDocument document = new SettingsDocument(plan, json);

    void turn(String change) {
        document.change((ObjectNode) json.readTree(change.replace('\'', '"')));
    }
}

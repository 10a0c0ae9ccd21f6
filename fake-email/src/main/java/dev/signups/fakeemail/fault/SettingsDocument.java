package dev.signups.fakeemail.fault;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings as JSON, both ways. A change may name any part of the document: what it leaves out stays as it is,
 * {@code null} switches an optional dial off, and what {@link #read} gave can be sent back unchanged.
 */
@Component
class SettingsDocument {

    private static final String OUTAGE = "outage";
    private static final String OUTAGE_SECONDS = "outageSeconds";
    private static final String OUTAGE_STARTS = "outageStartsInSeconds";
    private static final String READ_ONLY = "apiKeyRequired";
    private static final String API_KEY = "requiredApiKey";
    private static final Set<String> NOT_DIALS = Set.of(OUTAGE, OUTAGE_SECONDS, OUTAGE_STARTS, READ_ONLY);
    private static final int DAY_SECONDS = 86_400;

    private final FaultPlan plan;
    private final JsonMapper json;

    SettingsDocument(FaultPlan plan, JsonMapper json) {
        this.plan = plan;
        this.json = json.rebuild()
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .build();
    }

    ObjectNode read() {
        Instant now = plan.now();
        Outage outage = plan.outage();
        return ((ObjectNode) json.valueToTree(plan.settings()))
                .put(OUTAGE, outage.isOn(now))
                .put(OUTAGE_SECONDS, outage.secondsLeft(now))
                .put(OUTAGE_STARTS, outage.startsInSeconds(now));
    }

    /** All or nothing: throws {@link InvalidSettingsException} naming what is wrong, and then nothing has changed. */
    void change(ObjectNode change) {
        plan.update(current -> merge(current, change), outageOf(change), change.has("seed"));
    }

    private FaultSettings merge(FaultSettings current, ObjectNode change) {
        ObjectNode merged = json.valueToTree(current);
        merged.put(API_KEY, current.requiredApiKey());
        merged.setAll(change);
        merged.remove(NOT_DIALS);
        try {
            return json.treeToValue(merged, FaultSettings.class);
        } catch (JacksonException e) {
            if (e.getCause() instanceof InvalidSettingsException invalid) {
                throw invalid;
            }
            throw new InvalidSettingsException(Map.of(fieldOf(e), "is unknown or has a value of the wrong kind"));
        }
    }

    private static String fieldOf(JacksonException e) {
        if (!(e instanceof DatabindException bind) || bind.getPath().isEmpty()) {
            return "settings";
        }
        String field = bind.getPath().getFirst().getPropertyName();
        return field == null ? "settings" : field;
    }

    private @Nullable Outage outageOf(ObjectNode change) {
        Integer lasts = seconds(change, OUTAGE_SECONDS);
        Integer startsIn = seconds(change, OUTAGE_STARTS);
        JsonNode on = change.path(OUTAGE);
        if (!on.isMissingNode() && !on.isBoolean()) {
            throw new InvalidSettingsException(Map.of(OUTAGE, "must be true or false"));
        }
        Instant from = plan.now().plusSeconds(startsIn == null ? 0 : startsIn);
        if (lasts != null) {
            return new Outage(from, from.plusSeconds(lasts));
        }
        if (on.isMissingNode()) {
            if (startsIn != null) {
                throw new InvalidSettingsException(Map.of(OUTAGE_STARTS, "needs outageSeconds or outage beside it"));
            }
            return null;
        }
        return on.booleanValue() ? new Outage(from, null) : Outage.NONE;
    }

    private static @Nullable Integer seconds(ObjectNode change, String field) {
        JsonNode value = change.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToInt()
                || value.intValue() < 0
                || value.intValue() > DAY_SECONDS) {
            throw new InvalidSettingsException(Map.of(field, "must be a whole number between 0 and " + DAY_SECONDS));
        }
        return value.intValue();
    }
}

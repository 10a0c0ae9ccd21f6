package dev.signups.relay.engine;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How the log is read.
 *
 * @param reader `direct` takes changes from Debezium's decoder and wakes up for each; `stock` is the plain Debezium
 *     engine with transaction metadata, slower and polling
 * @param batchRows changes per batch, and so per Kafka transaction, at the most
 * @param bufferRows changes read ahead at the most
 * @param bufferSize memory for changes read ahead, roughly
 * @param pollInterval how long the stock reader waits between two looks
 * @param confirmInterval how often the slot is told how far it may forget, at the most
 * @param properties more of Debezium's own properties, which win over all others
 */
@Validated
@ConfigurationProperties("relay.engine")
public record EngineProperties(
        @DefaultValue("direct") @NotNull Reader reader,
        @DefaultValue("4096") @Min(1) int batchRows,
        @DefaultValue("16384") @Min(1) int bufferRows,
        @DefaultValue("24MB") DataSize bufferSize,
        @DefaultValue("5ms") Duration pollInterval,
        @DefaultValue("1s") Duration confirmInterval,
        @Nullable Map<String, String> properties) {

    /** The two ways of reading. */
    public enum Reader {
        /** Debezium's connection and decoder, without its records: quick and idle when there is nothing to do. */
        DIRECT,
        /** Debezium's connector as shipped, on its public interface alone. */
        STOCK
    }
}

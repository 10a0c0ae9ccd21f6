package dev.signups.fakeemail.log;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How much the provider remembers.
 *
 * @param capacity addresses, keys and single sends remembered, each; 0 takes as many as fit in half of the heap
 */
@Validated
@ConfigurationProperties("fake-email.log")
record LogProperties(
        @DefaultValue("0") @Min(0) @Max(50_000_000) int capacity) {

    /** Measured, see RATIONALE.md: an address, its key and one send. */
    private static final int BYTES_PER_MAIL = 600;

    int effectiveCapacity() {
        if (capacity > 0) {
            return capacity;
        }
        return Math.clamp(Runtime.getRuntime().maxMemory() / 2 / BYTES_PER_MAIL, 10_000, 50_000_000);
    }
}

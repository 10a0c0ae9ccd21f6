package dev.signups.relay.operator;

import dev.signups.relay.change.Lsn;
import dev.signups.relay.relay.RelayStatus;
import dev.signups.relay.slot.SlotState;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RelayController {

    private final RelayStatus status;

    RelayController(RelayStatus status) {
        this.status = status;
    }

    @GetMapping("/api/relay")
    RelayView relay() {
        SlotState slot = status.slot();
        return new RelayView(
                status.role().name().toLowerCase(Locale.ROOT),
                Lsn.format(status.publishedLsn()),
                slot == null ? null : slot.lagBytes(),
                slot == null ? null : slot.retainedBytes(),
                status.lastPublishedAt(),
                status.deadLettered(),
                status.reasonNotReady());
    }

    /**
     * What {@code GET /api/relay} answers.
     *
     * @param role {@code leader}, {@code standby} or {@code starting}
     * @param publishedLsn end of the last published transaction
     * @param slotLagBytes log since what the slot has confirmed
     * @param retainedWalBytes log kept for the slot
     * @param lastPublishedAt when rows were last committed in Kafka
     * @param deadLettered rows of this process that could not be published
     * @param reason why the relay is not ready, null if it is
     */
    record RelayView(
            String role,
            String publishedLsn,
            @Nullable Long slotLagBytes,
            @Nullable Long retainedWalBytes,
            @Nullable Instant lastPublishedAt,
            long deadLettered,
            @Nullable String reason) {}
}

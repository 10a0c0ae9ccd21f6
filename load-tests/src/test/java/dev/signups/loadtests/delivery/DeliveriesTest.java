package dev.signups.loadtests.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DeliveriesTest {

    private static final long SECOND = 1_000_000;

    @Test
    void countsWhatIsMissingAndWhatCameTwice() {
        Deliveries deliveries = new Deliveries(
                Map.of("a", 0L, "b", 0L, "c", 0L),
                Map.of("a", sent(1, 2, 2), "b", new Provider.Send(SECOND, 0, 3, 0), "x", sent(1, 2, 1)));
        assertThat(deliveries.missing()).isEqualTo(2);
        assertThat(deliveries.acceptedUnique()).isEqualTo(1);
        assertThat(deliveries.duplicates()).isEqualTo(1);
    }

    @Test
    void timeUntilAShareThatNeverWasAcceptedIsNoNumber() {
        Deliveries deliveries = new Deliveries(Map.of("a", SECOND, "b", 2 * SECOND), Map.of("a", sent(2, 5, 1)));
        assertThat(deliveries.secondsAfterLast(0.5)).isEqualTo(3);
        assertThat(deliveries.secondsAfterLast(1)).isNaN();
    }

    @Test
    void firstRequestThatNeverCameIsTheSlowest() {
        Deliveries deliveries = new Deliveries(Map.of("a", SECOND, "b", SECOND), Map.of("a", sent(2, 5, 1)));
        assertThat(deliveries.firstRequestMillis(50, 0, Long.MAX_VALUE)).isEqualTo(1000);
        assertThat(deliveries.firstRequestMillis(99, 0, Long.MAX_VALUE)).isInfinite();
    }

    @Test
    void lagIsWhatIsCommittedAndNotYetAccepted() {
        Deliveries deliveries = new Deliveries(
                Map.of("a", 0L, "b", SECOND, "c", 5 * SECOND),
                Map.of("a", sent(1, 3, 1), "b", sent(1, 4, 1), "c", sent(5, 6, 1)));
        assertThat(deliveries.maxLag()).isEqualTo(2);
        assertThat(deliveries.meanDepth(1, 3)).isEqualTo(2);
        assertThat(deliveries.acceptedPerSecond(3 * SECOND, 5 * SECOND)).isEqualTo(1);
    }

    private static Provider.Send sent(long firstRequest, long accepted, int times) {
        return new Provider.Send(firstRequest * SECOND, accepted * SECOND, times, times);
    }
}

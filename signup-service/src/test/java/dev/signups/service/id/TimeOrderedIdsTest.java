package dev.signups.service.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimeOrderedIdsTest {

    private final AtomicLong millis = new AtomicLong(1_767_323_045_678L);
    private final TimeOrderedIds ids = new TimeOrderedIds(() -> Instant.ofEpochMilli(millis.get()));

    @Test
    void hasTheFormOfVersion7() {
        UUID id = ids.next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(millis.get());
    }

    @Test
    void growsWithinAMillisecondAndWhenTheClockIsSetBack() {
        List<UUID> made = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (i == 5_000) {
                millis.addAndGet(-60_000);
            }
            made.add(ids.next());
        }

        // as PostgreSQL compares them: byte by byte, without a sign
        assertThat(made).isSortedAccordingTo(Comparator.comparing(UUID::toString));
        assertThat(new HashSet<>(made)).hasSameSizeAs(made);
    }

    @Test
    void makesNoneTwiceFromManyThreads() {
        TimeOrderedIds real = new TimeOrderedIds(InstantSource.system());
        Set<UUID> made = ConcurrentHashMap.newKeySet();

        IntStream.range(0, 100_000).parallel().forEach(i -> made.add(real.next()));

        assertThat(made).hasSize(100_000);
    }
}

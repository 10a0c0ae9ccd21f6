package dev.signups.fakeemail.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.fakeemail.SettableClock;
import dev.signups.fakeemail.log.KeyMemory.Claim;
import dev.signups.fakeemail.log.KeyMemory.Lookup;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyMemoryTest {

    private static final Duration DAY = Duration.ofHours(24);
    private static final Fingerprint WELCOME = Fingerprint.of("ada@example.com", "Welcome", "Hello", null);
    private static final Fingerprint OTHER = Fingerprint.of("ada@example.com", "Welcome", "Hello!", null);

    private final SettableClock clock = new SettableClock();
    private final KeyMemory keys = new KeyMemory(3, clock);

    @Test
    void remembersTheMessageOfAnAcceptedMail() {
        claim("k").accept("msg_1");

        assertThat(lookUp("k")).isEqualTo(new Lookup.Known("msg_1"));
        assertThat(keys.lookUp("k", OTHER, DAY)).isInstanceOf(Lookup.OtherMail.class);
    }

    @Test
    void isInProgressUntilTheFirstSendEnds() {
        Claim first = claim("k");
        assertThat(lookUp("k")).isInstanceOf(Lookup.InProgress.class);
        assertThat(keys.lookUp("k", OTHER, DAY)).isInstanceOf(Lookup.OtherMail.class);

        first.release();
        assertThat(keys.lookUp("k", OTHER, DAY)).isInstanceOf(Claim.class);
    }

    @Test
    void releaseDoesNotUndoAnAcceptance() {
        Claim claim = claim("k");
        claim.accept("msg_1");
        claim.release();

        assertThat(lookUp("k")).isEqualTo(new Lookup.Known("msg_1"));
    }

    @Test
    void forgetsAfterTheTimeLimitFromTheAcceptance() {
        Claim claim = claim("k");
        clock.forward(DAY.plusHours(1));
        assertThat(lookUp("k")).isInstanceOf(Lookup.InProgress.class);

        claim.accept("msg_1");
        clock.forward(DAY.minusMillis(1));
        assertThat(lookUp("k")).isEqualTo(new Lookup.Known("msg_1"));
        clock.forward(Duration.ofMillis(1));
        assertThat(lookUp("k")).isInstanceOf(Claim.class);
    }

    @Test
    void aShorterLimitHoldsForKeysAlreadyKept() {
        claim("k").accept("msg_1");
        clock.forward(Duration.ofSeconds(10));

        assertThat(keys.lookUp("k", WELCOME, Duration.ofSeconds(10))).isInstanceOf(Claim.class);
    }

    @Test
    void refusesNewKeysRatherThanForgetOnesItOwes() {
        claim("a").accept("msg_a");
        claim("b");
        claim("c").accept("msg_c");

        assertThat(lookUp("d")).isInstanceOf(Lookup.NoRoom.class);
        assertThat(lookUp("a")).isEqualTo(new Lookup.Known("msg_a"));

        clock.forward(DAY);
        assertThat(lookUp("d")).isInstanceOf(Claim.class);
        assertThat(lookUp("b")).isInstanceOf(Lookup.InProgress.class);
    }

    @Test
    void clearedKeysAreUnknownAndALateReleaseFreesNobodyElses() {
        Claim old = claim("k");
        keys.clear();
        claim("k");
        old.release();

        assertThat(lookUp("k")).isInstanceOf(Lookup.InProgress.class);
    }

    @Test
    void onlyOneOfManyGetsTheKey() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var lookUps = threads.invokeAll(IntStream.range(0, 200)
                    .mapToObj(i -> (Callable<Lookup>) () -> lookUp("k"))
                    .toList());
            long claims = 0;
            for (var lookUp : lookUps) {
                claims += lookUp.get() instanceof Claim ? 1 : 0;
            }
            assertThat(claims).isEqualTo(1);
        }
    }

    @Test
    void fingerprintsTellPartsApart() {
        assertThat(Fingerprint.of("a", "bc")).isNotEqualTo(Fingerprint.of("ab", "c"));
        assertThat(Fingerprint.of("a", null)).isNotEqualTo(Fingerprint.of("a", ""));
        assertThat(Fingerprint.of("a", "b")).isEqualTo(Fingerprint.of("a", "b"));
    }

    private Claim claim(String key) {
        return (Claim) lookUp(key);
    }

    private Lookup lookUp(String key) {
        return keys.lookUp(key, WELCOME, DAY);
    }
}

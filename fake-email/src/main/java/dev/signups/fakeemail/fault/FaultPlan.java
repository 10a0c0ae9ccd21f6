package dev.signups.fakeemail.fault;

import dev.signups.fakeemail.fault.Decision.Fate;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Decides what becomes of each send. With a seed the n-th decision is a function of seed and n alone, so that the same
 * order of sends meets the same latencies and faults, whatever the threads do.
 *
 * <p>Settings change as a whole: a send sees the ones from before or from after a change, never a mixture.
 */
@Component
public class FaultPlan {

    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private final InstantSource clock;
    private final RateLimit rateLimit = new RateLimit();
    private volatile Dials dials;

    FaultPlan(FaultSettings initial, InstantSource clock) {
        this.clock = clock;
        this.dials = Dials.of(initial, Outage.NONE, Sequence.startingWith(initial.seed()));
    }

    public FaultSettings settings() {
        return dials.settings;
    }

    /** Whether the provider lets a request in at all. */
    public Admission admit(@Nullable String authorization) {
        Dials current = dials;
        Instant now = clock.instant();
        if (current.outage.isOn(now)) {
            return Admission.OUTAGE;
        }
        String apiKey = current.settings.requiredApiKey();
        if (apiKey != null && !isBearer(authorization, apiKey)) {
            return Admission.UNAUTHORISED;
        }
        Integer perSecond = current.settings.rateLimitPerSecond();
        if (perSecond != null && !rateLimit.tryAcquire(perSecond, now)) {
            return Admission.RATE_LIMITED;
        }
        return Admission.OPEN;
    }

    /** Whether this address is rejected for good. */
    public boolean rejects(String address) {
        return dials.rejected.match(address);
    }

    /** The next decision in the order of the sends. */
    public Decision next(String address) {
        Dials current = dials;
        Decision decision = current.sequence.next(current.settings);
        return current.failing.match(address) ? new Decision(decision.latency(), Fate.FAIL) : decision;
    }

    /** The value of {@code Retry-After} for a 429 given now; as a date it is rounded up, so that it is never too early. */
    public String retryAfter() {
        FaultSettings settings = dials.settings;
        if (settings.retryAfterFormat() == RetryAfterFormat.SECONDS) {
            return Integer.toString(settings.retryAfterSeconds());
        }
        Instant until =
                clock.instant().plusSeconds(settings.retryAfterSeconds()).plusNanos(999_999_999);
        return HTTP_DATE.format(until.atOffset(ZoneOffset.UTC));
    }

    Outage outage() {
        return dials.outage;
    }

    Instant now() {
        return clock.instant();
    }

    /** Changes settings; a changed or repeated seed begins the sequence of decisions anew. */
    synchronized void update(UnaryOperator<FaultSettings> change, @Nullable Outage outage, boolean restart) {
        FaultSettings changed = change.apply(dials.settings);
        Sequence sequence = restart ? Sequence.startingWith(changed.seed()) : dials.sequence;
        dials = Dials.of(changed, outage == null ? dials.outage : outage, sequence);
    }

    private static boolean isBearer(@Nullable String authorization, String apiKey) {
        return authorization != null
                && authorization.regionMatches(true, 0, "Bearer ", 0, 7)
                && MessageDigest.isEqual(
                        authorization.substring(7).strip().getBytes(StandardCharsets.UTF_8),
                        apiKey.getBytes(StandardCharsets.UTF_8));
    }

    private record Dials(
            FaultSettings settings,
            Outage outage,
            AddressPatterns rejected,
            AddressPatterns failing,
            Sequence sequence) {

        static Dials of(FaultSettings settings, Outage outage, Sequence sequence) {
            return new Dials(
                    settings,
                    outage,
                    new AddressPatterns(settings.reject422()),
                    new AddressPatterns(settings.always503()),
                    sequence);
        }
    }

    private record Sequence(long seed, AtomicLong drawn) {

        // Not the golden ratio, by which SplittableRandom itself steps: its streams would overlap
        private static final long STEP = 0xD1342543DE82EF95L;

        static Sequence startingWith(@Nullable Long seed) {
            return new Sequence(seed == null ? ThreadLocalRandom.current().nextLong() : seed, new AtomicLong());
        }

        Decision next(FaultSettings settings) {
            var random = new SplittableRandom(seed + STEP * drawn.getAndIncrement());
            double latency = random.nextDouble();
            double failure = random.nextDouble();
            double answer = random.nextDouble();
            double spreadMs = settings.latencyMaxMs() - settings.latencyMinMs();
            long micros = Math.round(1000 * (settings.latencyMinMs() + latency * spreadMs));
            return new Decision(Duration.of(micros, ChronoUnit.MICROS), fate(settings, failure, answer));
        }

        private static Fate fate(FaultSettings settings, double failure, double answer) {
            if (failure < settings.failureRate()) {
                return Fate.FAIL;
            }
            double bound = settings.acceptThen503();
            if (answer < bound) {
                return Fate.ACCEPT_THEN_503;
            }
            bound += settings.acceptThenReset();
            if (answer < bound) {
                return Fate.ACCEPT_THEN_RESET;
            }
            bound += settings.acceptThenHang();
            return answer < bound ? Fate.ACCEPT_THEN_HANG : Fate.ACCEPT;
        }
    }
}

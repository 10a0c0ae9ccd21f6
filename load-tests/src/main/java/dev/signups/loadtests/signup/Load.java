package dev.signups.loadtests.signup;

import java.time.Duration;

/**
 * How much, how long and at most how many at once.
 *
 * @param rate arrivals a second
 * @param duration of the arrivals
 * @param maxUsers requests that may wait for an answer; an arrival beyond them is dropped and counted
 * @param grace how long unanswered requests are waited for after the last arrival
 */
public record Load(double rate, Duration duration, int maxUsers, Duration grace) {

    /** Virtual users for each arrival a second, here and in the k6 script. */
    private static final int USERS_PER_ARRIVAL = 16;

    private static final int FEWEST_USERS = 50;
    private static final Duration GRACE = Duration.ofSeconds(30);

    /** As the k6 script has it: virtual users scaled with the rate, k6's own grace. */
    public static Load of(double rate, Duration duration) {
        return new Load(rate, duration, Math.max(FEWEST_USERS, (int) Math.ceil(rate * USERS_PER_ARRIVAL)), GRACE);
    }

    /** The same with another grace. */
    public Load withGrace(Duration other) {
        return new Load(rate, duration, maxUsers, other);
    }

    int arrivals() {
        return (int) Math.round(rate * duration.toNanos() / 1e9);
    }
}

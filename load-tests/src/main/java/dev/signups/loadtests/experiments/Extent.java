package dev.signups.loadtests.experiments;

import java.time.Duration;

/**
 * How long each experiment takes.
 *
 * @param warmUp before everything
 * @param slow 20 signups a second at stage 1
 * @param slowAgain the same at stages 2 and 3
 * @param busy 150 signups a second
 * @param grace for answers afterwards
 * @param bandAid 150 signups a second with one of them
 * @param outage of the provider, at 150 signups a second
 * @param pace how long stage 2's e-mails are counted
 * @param alone 20 signups a second with everything behind the front door stopped
 * @param allBandAids whether each is measured; otherwise the first alone
 */
record Extent(
        Duration warmUp,
        Duration slow,
        Duration slowAgain,
        Duration busy,
        Duration grace,
        Duration bandAid,
        Duration outage,
        Duration pace,
        Duration alone,
        boolean allBandAids) {

    static final Extent FULL = new Extent(
            seconds(10),
            seconds(60),
            seconds(30),
            seconds(60),
            seconds(30),
            seconds(12),
            seconds(20),
            seconds(40),
            seconds(10),
            true);
    static final Extent QUICK = new Extent(
            seconds(4),
            seconds(8),
            seconds(3),
            seconds(8),
            seconds(8),
            seconds(6),
            seconds(8),
            seconds(8),
            seconds(3),
            false);

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}

package dev.signups.loadtests.experiments;

import dev.signups.loadtests.signup.Measurement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a stage did in the experiments.
 *
 * @param stage 1 to 3
 * @param slow 20 signups a second
 * @param busy 150 signups a second
 * @param depth e-mails that wait, while and after {@code busy}; empty where there is no queue
 * @param outage what an outage of the provider did
 * @param emailsPerSecond accepted by the provider while a backlog waits
 * @param duplicates e-mails accepted again after the sender was killed; null where nothing but the request sends
 * @param poison ten addresses that the provider always refuses, before ten others
 * @param workerStopped what tells that nothing is sent any more
 * @param alone 20 signups a second while everything behind the front door was stopped, all of whose e-mails went out
 *     afterwards; null where that was not tried
 * @param bandAids of stage 1, by name, at 150 signups a second
 */
record StageResult(
        int stage,
        Measurement slow,
        Measurement busy,
        List<Point> depth,
        Outage outage,
        double emailsPerSecond,
        @Nullable Long duplicates,
        @Nullable Poison poison,
        String workerStopped,
        @Nullable Measurement alone,
        Map<String, Measurement> bandAids) {

    /** So many at a time, in seconds. */
    record Point(double seconds, double value) {}

    /**
     * The provider stopped and started.
     *
     * @param requests signups meanwhile
     * @param failed of them, by their answer
     * @param halfDone users that are stored, and for whom nothing will ever send an e-mail
     * @param retryStatus the answer to the first of these signups, made again
     * @param waiting e-mails that waited when the provider was back
     * @param drainSeconds until they were accepted
     * @param extrapolated whether that is computed from the pace and not waited for
     */
    record Outage(
            int requests,
            int failed,
            long halfDone,
            int retryStatus,
            long waiting,
            double drainSeconds,
            boolean extrapolated) {}

    /**
     * What became of poison and of those behind it.
     *
     * @param seconds watched
     * @param asked requests for the poison addresses
     * @param othersSent e-mails accepted for the ten others
     * @param deadLetters e-mails given up and listed as such
     */
    record Poison(double seconds, long asked, long othersSent, long deadLetters) {}
}

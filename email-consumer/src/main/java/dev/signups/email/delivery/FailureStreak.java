package dev.signups.email.delivery;

import java.util.HashSet;
import java.util.Set;

/**
 * Failures since the last success. A share of the calls in a window says nothing while there are few calls; that nothing
 * at all gets through does. One or two addresses that fail for ever are no outage, however often they are tried.
 */
final class FailureStreak {

    private static final int DELIVERIES = 3;

    private final int limit;
    private final Set<DeliveryId> deliveries = new HashSet<>();
    private int failures;

    /** @param limit how many failures are an outage */
    FailureStreak(int limit) {
        this.limit = limit;
    }

    /** Whether with this failure the provider counts as out. */
    synchronized boolean isOutageWith(DeliveryId failed) {
        failures++;
        if (deliveries.size() < DELIVERIES) {
            deliveries.add(failed);
        }
        return failures >= limit && deliveries.size() >= DELIVERIES;
    }

    synchronized void end() {
        failures = 0;
        deliveries.clear();
    }
}

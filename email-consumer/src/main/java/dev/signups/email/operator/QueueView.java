package dev.signups.email.operator;

/**
 * The whole queue at a glance.
 *
 * @param depth records not yet taken in, and deliveries that wait or are being sent
 * @param oldestAgeSeconds age of the oldest of either
 * @param inFlight deliveries being sent, in all instances
 * @param failed deliveries given up
 * @param badRecords records that could not be read and that nobody has dealt with
 * @param breaker this instance's circuit breaker: closed, open or half_open
 * @param paused whether an operator has stopped sending
 */
record QueueView(
        long depth,
        long oldestAgeSeconds,
        long inFlight,
        long failed,
        long badRecords,
        String breaker,
        boolean paused) {}

package dev.signups.relay.relay;

import dev.signups.relay.slot.SlotState;

/** How long the slot lasts at the rate at which its safe space shrank over the last minutes, in seconds. */
final class SlotForecast {

    private static final double SMOOTHING = 0.05;

    private long lastSafe = -1;
    private long lastNanos;
    private double rate;

    /** Not a number where there is no limit, infinite where nothing shrinks. */
    double secondsToLoss(SlotState slot) {
        Long safe = slot.safeBytes();
        if (safe == null) {
            return Double.NaN;
        }
        long now = System.nanoTime();
        if (lastSafe >= 0) {
            double shrunk = (lastSafe - safe) / ((now - lastNanos) / 1e9);
            rate += SMOOTHING * (shrunk - rate);
        }
        lastSafe = safe;
        lastNanos = now;
        return rate <= 0 ? Double.POSITIVE_INFINITY : safe / rate;
    }
}

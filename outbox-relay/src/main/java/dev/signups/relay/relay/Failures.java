package dev.signups.relay.relay;

/** Failures in one line. */
final class Failures {

    private Failures() {}

    static String firstLine(Throwable e) {
        String message = e.getMessage();
        return message == null
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}

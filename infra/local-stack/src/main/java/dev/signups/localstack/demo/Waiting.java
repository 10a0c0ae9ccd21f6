package dev.signups.localstack.demo;

/** The wait between two looks at something that another process does. */
final class Waiting {

    private Waiting() {}

    static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw DemoFailure.of("interrupted");
        }
    }
}

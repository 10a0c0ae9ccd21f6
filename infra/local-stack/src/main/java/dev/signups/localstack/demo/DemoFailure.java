package dev.signups.localstack.demo;

/** What stops a command of the demo, in the words that the person at the terminal reads. */
final class DemoFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int exitCode;

    private DemoFailure(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Something on this machine is in the way. */
    static DemoFailure of(String message) {
        return new DemoFailure(message, 1);
    }

    /** The command line or a setting makes no sense. */
    static DemoFailure usage(String message) {
        return new DemoFailure(message, 2);
    }

    int exitCode() {
        return exitCode;
    }
}

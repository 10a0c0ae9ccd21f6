package dev.signups.localstack.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** The lines that the person at the terminal sees. */
final class Console {

    private final PrintStream out;

    Console(PrintStream out) {
        this.out = out;
    }

    synchronized void line(String line) {
        out.println(line);
        out.flush();
    }

    void step(String name, String what, Duration since) {
        line(String.format(Locale.ROOT, "  %-15s %-8s %5.1f s", name, what, since.toMillis() / 1000.0));
    }
}

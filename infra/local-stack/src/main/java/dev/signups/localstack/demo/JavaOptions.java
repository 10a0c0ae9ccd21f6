package dev.signups.localstack.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The options of each service's JVM: small heaps, so that the whole stack fits into 2 GiB. */
final class JavaOptions {

    private static final List<String> COMMON = List.of(
            "-XX:+UseSerialGC",
            // six JVMs that begin at once: in the first minutes the optimising compiler would take more of two cores
            // than it gives back
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseCompactObjectHeaders",
            "-Xss512k",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED");

    private JavaOptions() {}

    /** The program of the JVM that runs this launcher. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The options that the environment sets for this service, or else the demo's own. */
    static List<String> of(Member service, Path jar, Map<String, String> environment) {
        String set = environment.getOrDefault(service.javaOptionsSetting(), "").strip();
        if (!set.isEmpty()) {
            return List.of(set.split("\\s+"));
        }
        List<String> options = new ArrayList<>(COMMON);
        options.addAll(keptClasses(service, jar));
        switch (service) {
            case SIGNUP_SERVICE -> options.add("-Xmx192m");
            // a thousand e-mails in flight, or a backlog in batches
            case EMAIL_CONSUMER, OUTBOX_RELAY -> options.add("-Xmx256m");
            default -> options.add("-Xmx160m");
        }
        return options;
    }

    /**
     * Lets the JVM keep what it has loaded, linked and verified in a file when it ends, and begin with that the next time:
     * a third of the processor time of a start. The JVM itself sees when the file is not of this jar or this JVM.
     */
    private static List<String> keptClasses(Member service, Path jar) {
        return List.of(
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + jar.resolveSibling(service.label() + ".jsa"),
                "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off");
    }
}

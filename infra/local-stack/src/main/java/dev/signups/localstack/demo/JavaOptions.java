package dev.signups.localstack.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The options of each service's JVM: small heaps, so that the whole stack fits into 2 GiB. */
final class JavaOptions {

    private static final List<String> COMMON = List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xss512k",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED");

    private static final Map<Member, List<String>> OWN = Map.of(
            Member.SIGNUP_SERVICE, List.of("-Xmx192m"),
            Member.OUTBOX_RELAY, List.of("-Xmx256m"),
            Member.EMAIL_CONSUMER, List.of("-Xmx256m"),
            Member.FAKE_EMAIL, List.of("-Xmx160m", "-XX:TieredStopAtLevel=1"));

    private JavaOptions() {}

    /** The program of the JVM that runs this launcher. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The options that the environment sets for this service, or else the demo's own. */
    static List<String> of(Member service, Map<String, String> environment) {
        String set = environment.getOrDefault(service.javaOptionsSetting(), "").strip();
        if (!set.isEmpty()) {
            return List.of(set.split("\\s+"));
        }
        List<String> options = new ArrayList<>(COMMON);
        options.addAll(OWN.getOrDefault(service, List.of()));
        return options;
    }
}

package dev.signups.localstack.demo;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A process of the demo. */
enum Member {
    POSTGRES("postgres", 15432, "POSTGRES_PORT"),
    KAFKA("kafka", 19092, "KAFKA_PORT"),
    SIGNUP_SERVICE("signup-service", 8080, "SIGNUP_PORT"),
    OUTBOX_RELAY("outbox-relay", 8083, "OUTBOX_RELAY_PORT"),
    EMAIL_CONSUMER("email-consumer", 8082, "EMAIL_CONSUMER_PORT"),
    FAKE_EMAIL("fake-email", 8081, "FAKE_EMAIL_PORT"),
    /** Of stage 2 alone. */
    WORKER("worker", 8084, "WORKER_PORT");

    private final String label;
    private final int defaultPort;
    private final String portSetting;

    Member(String label, int defaultPort, String portSetting) {
        this.label = label;
        this.defaultPort = defaultPort;
        this.portSetting = portSetting;
    }

    static Member named(String label) {
        return Arrays.stream(values())
                .filter(member -> member.label.equals(label))
                .findFirst()
                .orElseThrow(() -> DemoFailure.usage("there is no process '" + label + "'; there are "
                        + Arrays.stream(values()).map(Member::label).collect(Collectors.joining(", "))));
    }

    /** What a stage of the article consists of. */
    static Set<Member> of(int stage) {
        return switch (stage) {
            case 1 -> EnumSet.of(POSTGRES, SIGNUP_SERVICE, FAKE_EMAIL);
            case 2 -> EnumSet.of(POSTGRES, SIGNUP_SERVICE, FAKE_EMAIL, WORKER);
            case 3 -> EnumSet.complementOf(EnumSet.of(WORKER));
            default -> throw DemoFailure.usage("--stage is 1, 2 or 3, not '" + stage + "'");
        };
    }

    static List<Member> services() {
        return Arrays.stream(values()).filter(Member::isService).toList();
    }

    /** The name a person uses. */
    String label() {
        return label;
    }

    /** The module whose jar it runs. */
    String module() {
        return this == WORKER ? SIGNUP_SERVICE.label : label;
    }

    int defaultPort() {
        return defaultPort;
    }

    /** The environment variable that moves the port. */
    String portSetting() {
        return portSetting;
    }

    /** The environment variable that replaces the JVM's options. */
    String javaOptionsSetting() {
        return label.toUpperCase(Locale.ROOT).replace('-', '_') + "_JAVA_OPTS";
    }

    boolean isService() {
        return this != POSTGRES && this != KAFKA;
    }

    /** No request waits for these: on a busy machine it is answered first, and the e-mail follows. */
    boolean isBackground() {
        return switch (this) {
            case POSTGRES, SIGNUP_SERVICE, FAKE_EMAIL -> false;
            case KAFKA, OUTBOX_RELAY, EMAIL_CONSUMER, WORKER -> true;
        };
    }

    /** The name of the executable that its process runs. */
    String program() {
        return this == POSTGRES ? "postgres" : "java";
    }
}

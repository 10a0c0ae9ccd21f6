package dev.signups.localstack.demo;

import java.util.HashMap;
import java.util.Map;

/** What tells each service where the others are. */
final class ServiceEnvironment {

    private final DemoState state;

    ServiceEnvironment(DemoState state) {
        this.state = state;
    }

    Map<String, String> of(Member service) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "SERVER_PORT",
                Integer.toString(state.port(service)),
                "SERVER_ADDRESS",
                "127.0.0.1",
                "OPERATOR_PASSWORD",
                state.settings().operatorPassword(),
                "KAFKA_BOOTSTRAP_SERVERS",
                "127.0.0.1:" + state.port(Member.KAFKA)));
        switch (service) {
            case SIGNUP_SERVICE -> {
                database(environment, "signup", "signup");
                stage(environment);
            }
            case WORKER -> {
                database(environment, "signup", "signup");
                environment.put("EMAIL_PROVIDER_URL", provider());
            }
            case OUTBOX_RELAY -> {
                database(environment, "signup", "relay");
                // one machine does everything: at most 50 Kafka transactions a second leave more of it for the signups
                environment.put("RELAY_KAFKA_TRANSACTIONGAP", "20ms");
            }
            case EMAIL_CONSUMER -> {
                database(environment, "email", "email");
                environment.put("EMAIL_PROVIDER_URL", provider());
            }
            default -> {}
        }
        return environment;
    }

    private void stage(Map<String, String> environment) {
        if (state.stage() < 3) {
            environment.put("SIGNUP_WELCOMEEMAIL", state.stage() == 1 ? "inline" : "jobs");
            environment.put("EMAIL_PROVIDER_URL", provider());
        }
    }

    private String provider() {
        return "http://127.0.0.1:" + state.port(Member.FAKE_EMAIL);
    }

    private void database(Map<String, String> environment, String name, String role) {
        environment.put("DB_URL", "jdbc:postgresql://127.0.0.1:" + state.port(Member.POSTGRES) + "/" + name);
        environment.put("DB_USER", role);
        // whoever connects on loopback is trusted
        environment.put("DB_PASSWORD", "");
    }
}

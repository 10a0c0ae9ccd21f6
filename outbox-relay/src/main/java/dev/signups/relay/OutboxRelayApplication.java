package dev.signups.relay;

import dev.signups.relay.operator.CommandLine;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the relay; with {@code doctor} or {@code audit} as the first argument, runs that command and ends. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class OutboxRelayApplication {

    private static final Set<String> COMMANDS = Set.of("doctor", "audit");

    static void main(String[] args) {
        List<String> words =
                Arrays.stream(args).filter(arg -> !arg.startsWith("-")).toList();
        if (words.isEmpty()) {
            SpringApplication.run(OutboxRelayApplication.class, args);
            return;
        }
        if (words.size() > 1 || !COMMANDS.contains(words.getFirst())) {
            System.err.println("usage: outbox-relay [doctor|audit] [--property=value …]");
            System.exit(2);
        }
        System.exit(run(words.getFirst(), args));
    }

    private static int run(String command, String[] args) {
        SpringApplication application = new SpringApplication(OutboxRelayApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLogStartupInfo(false);
        application.setAdditionalProfiles("command");
        try (ConfigurableApplicationContext context = application.run(args)) {
            return context.getBean(CommandLine.class).run(command, System.out);
        }
    }
}

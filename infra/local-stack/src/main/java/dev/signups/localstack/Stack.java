package dev.signups.localstack;

import java.util.List;
import java.util.ServiceLoader;

/**
 * The servers of a contract test: child processes by default, containers with {@code -Dstack=containers}, which the
 * build's profile {@code docker} sets. Such a test neither stops nor kills them.
 */
public interface Stack {

    /** One for all tests of a JVM. */
    Postgres postgres();

    /** One for all tests of a JVM. */
    Kafka kafka();

    /** Configurations that connect a Spring Boot application to Kafka; none where it takes the address as a setting. */
    default List<Class<?>> connections() {
        return List.of();
    }

    /** The stack that the build asks for. */
    static Stack current() {
        return switch (System.getProperty("stack", "local")) {
            case "local" -> LocalStack.AS_STACK;
            case "containers" ->
                ServiceLoader.load(Stack.class)
                        .findFirst()
                        .orElseThrow(
                                () -> new IllegalStateException(
                                        "-Dstack=containers needs infra/container-stack on the class path: build with -Pdocker"));
            default -> throw new IllegalStateException("-Dstack is 'local' or 'containers'");
        };
    }
}

package dev.signups.email;

import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The application in the test's own JVM. */
public final class App implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    public final OperatorClient operator;

    private App(ConfigurableApplicationContext context) {
        this.context = context;
        this.operator = new OperatorClient(
                ((WebServerApplicationContext) context).getWebServer().getPort());
    }

    static App start(Map<String, String> properties, Class<?>... more) {
        Class<?>[] sources = Stream.concat(Stream.of(EmailConsumerApplication.class), Stream.of(more))
                .toArray(Class<?>[]::new);
        String[] arguments = properties.entrySet().stream()
                .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
        return new App(new SpringApplicationBuilder(sources).run(arguments));
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}

package dev.signups.loadtests.delivery.peer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.FailedEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith's event publication registry: the signup's transaction records the publication, and an asynchronous
 * listener on a virtual thread sends. What failed is resubmitted every second, what a crash left incomplete at the start.
 *
 * <p>The listener has no transaction of its own: with the annotation's default it would hold one of the pool's ten
 * connections while it waits for the provider, and ten would be its pace.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(excludeName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@EnableScheduling
public class ModulithRegistry {

    /** The table that a signup writes. */
    public static final String TABLE = "create table if not exists users (email text primary key)";

    /** Runs until it is killed. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(ModulithRegistry.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.threads.virtual.enabled=true",
                        "spring.main.keep-alive=true",
                        "spring.modulith.events.jdbc.schema-initialization.enabled=true",
                        "spring.modulith.events.republish-outstanding-events-on-restart=true")
                .run(arguments);
    }

    /** A user has signed up. */
    record SignedUp(String email) {}

    @Bean
    Welcome welcome(@Value("${peer.provider}") String provider, FailedEventPublications failed) {
        return new Welcome(new EmailClient(provider), failed);
    }

    @Bean(destroyMethod = "close")
    FrontDoor frontDoor(
            JdbcClient jdbc,
            TransactionTemplate transactions,
            ApplicationEventPublisher events,
            @Value("${peer.port}") int port)
            throws IOException {
        return new FrontDoor(jdbc, transactions, events, port);
    }

    /** The listener. */
    static class Welcome {

        private static final int BATCH = 1000;

        private final EmailClient emails;
        private final FailedEventPublications failed;

        Welcome(EmailClient emails, FailedEventPublications failed) {
            this.emails = emails;
            this.failed = failed;
        }

        @ApplicationModuleListener(propagation = Propagation.NOT_SUPPORTED)
        void on(SignedUp event) {
            emails.sendWelcome(event.email());
        }

        @Scheduled(fixedDelay = 1000)
        void resubmit() {
            failed.resubmit(ResubmissionOptions.defaults()
                    .withBatchSize(BATCH)
                    .withMaxInFlight(Integer.MAX_VALUE)
                    .withMinAge(Duration.ofSeconds(1)));
        }
    }

    /** Takes a signup in: the body is the address. */
    static class FrontDoor implements AutoCloseable {

        private final JdbcClient jdbc;
        private final TransactionTemplate transactions;
        private final ApplicationEventPublisher events;
        private final HttpServer server;

        FrontDoor(JdbcClient jdbc, TransactionTemplate transactions, ApplicationEventPublisher events, int port)
                throws IOException {
            this.jdbc = jdbc;
            this.transactions = transactions;
            this.events = events;
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/signups", this::signUp);
            server.start();
        }

        private void signUp(HttpExchange exchange) throws IOException {
            String email = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int status = 201;
            try {
                transactions.executeWithoutResult(transaction -> {
                    jdbc.sql("insert into users (email) values (?)")
                            .param(email)
                            .update();
                    events.publishEvent(new SignedUp(email));
                });
            } catch (RuntimeException e) {
                status = 503;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}

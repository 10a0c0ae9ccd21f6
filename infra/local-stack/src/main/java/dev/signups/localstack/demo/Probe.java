package dev.signups.localstack.demo;

import dev.signups.localstack.Ports;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Asks a process whether it is ready for work, in five seconds at most, which a busy machine needs. */
final class Probe {

    private static final int LIMIT_MILLIS = 5000;

    private Probe() {}

    static boolean isReady(Member member, int port) {
        return switch (member) {
            case POSTGRES -> answersSql(port);
            case KAFKA -> Ports.isTaken(port) && answersKafka(port);
            default -> answersHealth(port);
        };
    }

    private static boolean answersSql(int port) {
        Properties properties = new Properties();
        properties.setProperty("user", "postgres");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "5");
        try (Connection connection =
                DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", properties)) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    private static boolean answersKafka(int port) {
        try (Admin admin = Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:" + port,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, LIMIT_MILLIS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, LIMIT_MILLIS))) {
            return !admin.describeCluster()
                    .nodes()
                    .get(LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                    .isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean answersHealth(int port) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness")
                            .toURL()
                            .openConnection();
            connection.setConnectTimeout(LIMIT_MILLIS);
            connection.setReadTimeout(LIMIT_MILLIS);
            try {
                return connection.getResponseCode() == 200;
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return false;
        }
    }
}

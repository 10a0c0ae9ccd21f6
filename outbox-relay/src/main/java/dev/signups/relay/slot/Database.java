package dev.signups.relay.slot;

import dev.signups.relay.engine.LogSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Connections to the outbox's database. There is no pool: the relay keeps two, for its lock and for the slot's figures,
 * and opens others for a moment.
 */
public final class Database {

    private final DatabaseProperties properties;
    private final Properties parsed;

    /** @param properties where it is */
    public Database(DatabaseProperties properties) {
        this.properties = properties;
        Properties found = Driver.parseURL(properties.url(), new Properties());
        if (found == null) {
            throw new IllegalArgumentException("relay.database.url (DB_URL) is no PostgreSQL address");
        }
        if (found.getProperty("PGPORT", "").contains(",")) {
            throw new IllegalArgumentException("relay.database.url (DB_URL) names several servers, and the log can be"
                    + " followed on one only: name the primary, or an address that moves with it");
        }
        this.parsed = found;
    }

    /** Its settings. */
    public DatabaseProperties properties() {
        return properties;
    }

    /**
     * Opens a connection that gives up on an unreachable server: 5 s to connect, 15 s for an answer.
     *
     * @param name shown in {@code pg_stat_activity}
     */
    public Connection open(String name) throws SQLException {
        return open(name, Map.of("socketTimeout", "15"));
    }

    /** Opens a connection for a query that may take long. */
    public Connection openForScan(String name) throws SQLException {
        return open(name, Map.of("socketTimeout", "0"));
    }

    /** Opens a connection that speaks the replication protocol. */
    public Connection openForReplication(String name) throws SQLException {
        return open(
                name,
                Map.of(
                        "socketTimeout",
                        "60",
                        PGProperty.REPLICATION.getName(),
                        "database",
                        PGProperty.PREFER_QUERY_MODE.getName(),
                        "simple",
                        PGProperty.ASSUME_MIN_SERVER_VERSION.getName(),
                        "14"));
    }

    /** What an engine needs to read the log. */
    public LogSource logSource() {
        Map<String, String> driver = new HashMap<>();
        for (String name : parsed.stringPropertyNames()) {
            if (!name.startsWith("PG")) {
                driver.put(name, parsed.getProperty(name));
            }
        }
        driver.putIfAbsent("connectTimeout", "5");
        driver.putIfAbsent("tcpKeepAlive", "true");
        return new LogSource(
                parsed.getProperty("PGHOST", "localhost"),
                Integer.parseInt(parsed.getProperty("PGPORT", "5432")),
                parsed.getProperty("PGDBNAME", properties.user()),
                properties.user(),
                properties.password(),
                properties.slot(),
                properties.publication(),
                properties.table(),
                driver);
    }

    /** First column of the first row as text; null where there is no row or no value. */
    public static @Nullable String query(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }

    private Connection open(String name, Map<String, String> own) throws SQLException {
        Properties all = new Properties();
        all.setProperty("user", properties.user());
        all.setProperty("password", properties.password());
        all.setProperty("connectTimeout", "5");
        all.setProperty("loginTimeout", "10");
        all.setProperty("tcpKeepAlive", "true");
        all.setProperty("ApplicationName", name);
        own.forEach(all::setProperty);
        return DriverManager.getConnection(properties.url(), all);
    }
}

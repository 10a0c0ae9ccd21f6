package dev.signups.localstack;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server with the pipeline's roles, wherever it runs. */
public interface Postgres {

    /** JDBC address of a database; add {@code ?user=…} or give the user separately. */
    String jdbcUrl(String database);

    /** Opens a connection as superuser. */
    default Connection connect(String database) throws SQLException {
        return connect(database, "postgres");
    }

    /** Opens a connection as the given role. */
    default Connection connect(String database, String role) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", role);
        properties.setProperty("connectTimeout", "5");
        return DriverManager.getConnection(jdbcUrl(database), properties);
    }

    /**
     * Makes an empty database with the owner and grants of the pipeline's {@code signup} or {@code email} database, so
     * that a test has one for itself.
     *
     * @param like {@code signup} or {@code email}
     * @return its name
     */
    default String createDatabase(String like) {
        String name = like + "_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        execute("postgres", "create database " + name + " owner " + like);
        execute("postgres", "revoke all on database " + name + " from public");
        if (like.equals("signup")) {
            execute("postgres", "grant connect on database " + name + " to relay");
        }
        return name;
    }

    /** Runs one statement as superuser. */
    default void execute(String database, String sql) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** First column of the first row as text; null where there is no row or no value. */
    default @Nullable String query(String database, String sql) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }
}

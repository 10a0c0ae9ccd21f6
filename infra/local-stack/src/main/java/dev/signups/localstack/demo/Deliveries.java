package dev.signups.localstack.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks the consumer's ledger what became of e-mails. Where the database is away, the answer is that nothing is known. */
final class Deliveries implements AutoCloseable {

    private static final int BATCH = 1000;
    private static final long RETRY_MILLIS = 1000;
    private static final String SETTLED = """
            select user_id, status, coalesce(sent_at, now())
            from email_delivery
            where user_id = any(?) and email_type = 'welcome_email' and status in ('SENT', 'FAILED')
            """;

    private final String url;
    private final Consumer<String> complaint;
    private boolean complained;
    private @Nullable Connection connection;
    private long notBefore;
    private int next;

    /**
     * Asks the ledger's database.
     *
     * @param url its JDBC address
     * @param complaint takes a line, once, if the ledger is not what is expected
     */
    Deliveries(String url, Consumer<String> complaint) {
        this.url = url;
        this.complaint = complaint;
    }

    /** Those of the given users that are through; of many users, the next part at each call. */
    List<Settled> of(List<String> userIds) {
        if (userIds.isEmpty() || System.currentTimeMillis() < notBefore) {
            return List.of();
        }
        if (next >= userIds.size()) {
            next = 0;
        }
        List<String> part = userIds.subList(next, Math.min(userIds.size(), next + BATCH));
        next += BATCH;
        try {
            return ask(part);
        } catch (SQLException e) {
            close();
            complain(e);
            notBefore = System.currentTimeMillis() + RETRY_MILLIS;
            return List.of();
        }
    }

    private List<Settled> ask(List<String> userIds) throws SQLException {
        Connection open = connection();
        List<Settled> settled = new ArrayList<>();
        try (PreparedStatement select = open.prepareStatement(SETTLED)) {
            select.setArray(1, open.createArrayOf("text", userIds.toArray()));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    Timestamp at = rows.getTimestamp(3);
                    settled.add(new Settled(rows.getString(1), "SENT".equals(rows.getString(2)), at.getTime()));
                }
            }
        }
        return settled;
    }

    private void complain(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        boolean isAway = state.startsWith("08") || state.startsWith("57");
        if (!isAway && !complained) {
            complained = true;
            complaint.accept("accepted e-mails cannot be followed: " + e.getMessage());
        }
    }

    private Connection connection() throws SQLException {
        Connection open = connection;
        if (open == null) {
            Properties properties = new Properties();
            properties.setProperty("user", "postgres");
            properties.setProperty("ApplicationName", "demo");
            properties.setProperty("connectTimeout", "2");
            properties.setProperty("socketTimeout", "5");
            open = DriverManager.getConnection(url, properties);
            open.setReadOnly(true);
            connection = open;
        }
        return open;
    }

    @Override
    public void close() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // it is as closed as it gets
        }
        connection = null;
    }
}

package dev.signups.service;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Says in a line what is wrong with the database when the service cannot start because of it. */
class DatabaseFailureAnalyzer extends AbstractFailureAnalyzer<SQLException> {

    private static final String RAISED_BY_A_MIGRATION = "P0001";

    private final Environment environment;

    DatabaseFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, SQLException cause) {
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        if (state.equals(RAISED_BY_A_MIGRATION)) {
            return new FailureAnalysis(
                    "The database is not prepared: " + cause.getMessage(), "Do what the message says.", failure);
        }
        // 08 no connection, 28 login refused, 3D no such database, 57P03 still starting, 42501 no permission to connect
        boolean unreachable = state.startsWith("08")
                || state.startsWith("28")
                || state.startsWith("3D")
                || state.equals("57P03")
                || state.equals("42501");
        return unreachable
                ? new FailureAnalysis(
                        "The database cannot be used: DB_URL=" + url() + " DB_USER="
                                + environment.getProperty("spring.datasource.username") + ": " + cause.getMessage(),
                        "Start PostgreSQL, or set DB_URL, DB_USER and DB_PASSWORD to one that runs.",
                        failure)
                : null;
    }

    /** Without its query, where a password may be. */
    private String url() {
        String url = environment.getProperty("spring.datasource.url", "");
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }
}

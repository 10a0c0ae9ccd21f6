package dev.signups.relay.engine;

import io.debezium.connector.postgresql.PostgresConnector;
import org.apache.kafka.connect.connector.Task;

/** Debezium's PostgreSQL connector with a {@link DirectTask}; public because Debezium makes it. */
public final class DirectConnector extends PostgresConnector {

    @Override
    public Class<? extends Task> taskClass() {
        return DirectTask.class;
    }
}

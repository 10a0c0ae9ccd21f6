package dev.signups.relay.recovery;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The outbox against the topics, id by id.
 *
 * @param rows rows of the table
 * @param records records of the topics in the time of those rows, replays left out
 * @param missing ids that are in the table and in no topic
 * @param repeated ids that are in the table and more than once in the topics
 */
record Comparison(long rows, long records, Set<UUID> missing, Set<UUID> repeated) {

    /**
     * Walks along both sides in order of time; a pair cancels out, so that memory holds only what has not met its
     * partner yet.
     */
    static Comparison of(OutboxTable table, PublishedEvents events) throws SQLException {
        Map<UUID, Integer> balance = new HashMap<>();
        long rows = 0;
        try (OutboxTable.IdCursor ids = table.ids()) {
            boolean more = ids.next();
            while (more || !events.atEnd()) {
                if (more && (events.atEnd() || ids.createdAtMillis() <= events.time())) {
                    add(balance, ids.id(), 1);
                    rows++;
                    more = ids.next();
                } else {
                    for (UUID id : events.next()) {
                        add(balance, id, -1);
                    }
                }
            }
        }
        Set<UUID> missing = new HashSet<>();
        List<UUID> surplus = new ArrayList<>();
        balance.forEach((id, count) -> {
            if (count > 0) {
                missing.add(id);
            } else {
                surplus.add(id);
            }
        });
        return new Comparison(rows, events.records(), missing, table.present(surplus));
    }

    private static void add(Map<UUID, Integer> balance, UUID id, int one) {
        balance.merge(id, one, (a, b) -> a + b == 0 ? null : a + b);
    }
}

package dev.signups.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signups.relay.change.Change;
import dev.signups.relay.change.Change.Begin;
import dev.signups.relay.change.Change.End;
import dev.signups.relay.change.Change.Mark;
import dev.signups.relay.change.Change.Row;
import dev.signups.relay.change.OutboxRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTrackerTest {

    private static final PublishedPosition ORIGIN = new PublishedPosition("1", 100, 0, 0, 100, "p");

    @Test
    void publishesWholeTransactionsAndConfirmsTheirEnd() {
        PositionTracker.Batch batch = new PositionTracker(ORIGIN, 100).next(log(7, 200, "a", "b"));
        assertThat(ids(batch)).containsExactly("a", "b");
        assertThat(batch.position()).isEqualTo(new PublishedPosition("1", 200, 0, 0, 200, "p"));
        assertThat(batch.confirm()).isEqualTo(200);
    }

    @Test
    void confirmsNothingInsideATransaction() {
        PositionTracker.Batch batch =
                new PositionTracker(ORIGIN, 100).next(log(7, 200, "a", "b").subList(0, 2));
        assertThat(batch.position()).isEqualTo(new PublishedPosition("1", 100, 7, 1, 100, "p"));
        assertThat(batch.confirm()).isZero();
    }

    @Test
    void dropsRedeliveredTransactionsUpToThePublishedEnd() {
        List<Change> again = new ArrayList<>(log(7, 200, "a"));
        again.addAll(log(8, 300, "b"));
        again.addAll(log(9, 400, "c"));
        PositionTracker.Batch batch =
                new PositionTracker(new PublishedPosition("1", 300, 0, 0, 300, "p"), 100).next(again);
        assertThat(ids(batch)).containsExactly("c");
        assertThat(batch.position().lastEnd()).isEqualTo(400);
    }

    @Test
    void resumesInsideATransaction() {
        PublishedPosition inside = new PublishedPosition("1", 200, 8, 2, 200, "p");
        List<Change> again = new ArrayList<>(log(7, 200, "a"));
        again.addAll(log(8, 300, "b", "c", "d"));
        PositionTracker.Batch batch = new PositionTracker(inside, 100).next(again);
        assertThat(ids(batch)).containsExactly("d");
        assertThat(batch.position()).isEqualTo(new PublishedPosition("1", 300, 0, 0, 300, "p"));
    }

    @Test
    void keepsThePlaceWhileTheRedeliveryIsStillBehindIt() {
        PublishedPosition inside = new PublishedPosition("1", 200, 8, 2, 200, "p");
        PositionTracker tracker = new PositionTracker(inside, 200);
        assertThat(tracker.next(log(8, 300, "b", "c", "d").subList(0, 2)).position())
                .isEqualTo(inside);
    }

    @Test
    void refusesALogWithoutTheCommitThatIsPublished() {
        PositionTracker tracker = new PositionTracker(new PublishedPosition("1", 300, 0, 0, 300, "p"), 100);
        assertThatThrownBy(() -> tracker.next(log(8, 350, "b"))).isInstanceOf(GapException.class);
    }

    @Test
    void refusesAHeartbeatPastTheCommitThatIsPublished() {
        PositionTracker tracker = new PositionTracker(new PublishedPosition("1", 300, 0, 0, 300, "p"), 100);
        assertThatThrownBy(() -> tracker.next(List.of(new Mark(301, "p", "c")))).isInstanceOf(GapException.class);
    }

    @Test
    void refusesAnotherTransactionThanTheOneHalfPublished() {
        PositionTracker tracker = new PositionTracker(new PublishedPosition("1", 200, 8, 2, 200, "p"), 200);
        assertThatThrownBy(() -> tracker.next(log(9, 300, "x"))).isInstanceOf(GapException.class);
    }

    @Test
    void refusesATransactionShorterThanWhatIsPublishedOfIt() {
        PositionTracker tracker = new PositionTracker(new PublishedPosition("1", 200, 8, 3, 200, "p"), 200);
        assertThatThrownBy(() -> tracker.next(log(8, 300, "x", "y"))).isInstanceOf(GapException.class);
    }

    @Test
    void movesTheConfirmedPlaceByHeartbeatsAlone() {
        PositionTracker.Batch batch = new PositionTracker(ORIGIN, 100).next(List.of(new Mark(500, "p", "c")));
        assertThat(batch.confirm()).isEqualTo(500);
        assertThat(batch.position()).isEqualTo(new PublishedPosition("1", 100, 0, 0, 500, "p"));
    }

    /** Any cut into batches, any number of crashes before or after a batch is stored: each row once, in order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void publishesEachRowOnceWhereverItIsCutAndKilled(long seed) {
        Random random = new Random(seed);
        List<Change> log = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        long lsn = 100;
        for (int t = 0; t < 200; t++) {
            lsn += 1 + random.nextInt(50);
            if (random.nextInt(5) == 0) {
                log.add(new Mark(lsn, "p", "c"));
                continue;
            }
            String[] rows = new String[1 + random.nextInt(6)];
            for (int r = 0; r < rows.length; r++) {
                rows[r] = t + "." + r;
                expected.add(rows[r]);
            }
            // txids repeat, as after a wrap
            log.addAll(log(1 + t % 3, lsn, rows));
        }
        List<String> published = new ArrayList<>();
        PublishedPosition stored = ORIGIN;
        long confirmed = 100;
        while (true) {
            PositionTracker tracker = new PositionTracker(stored, confirmed);
            int at = firstAfter(log, confirmed);
            boolean killed = false;
            while (at < log.size() && !killed) {
                int size = Math.min(log.size() - at, 1 + random.nextInt(9));
                PositionTracker.Batch batch = tracker.next(log.subList(at, at + size));
                at += size;
                int fate = random.nextInt(12);
                if (fate == 0) {
                    killed = true;
                    continue;
                }
                published.addAll(ids(batch));
                stored = batch.position();
                tracker.advance(stored);
                if (fate == 1) {
                    killed = true;
                } else if (batch.confirm() != 0 && random.nextBoolean()) {
                    assertThat(batch.confirm()).isLessThanOrEqualTo(stored.confirmed());
                    confirmed = Math.max(confirmed, batch.confirm());
                }
            }
            if (!killed) {
                break;
            }
        }
        assertThat(published).containsExactlyElementsOf(expected);
    }

    /** What the server sends from there: whole transactions that end after it. */
    private static int firstAfter(List<Change> log, long confirmed) {
        int next = 0;
        for (int i = 0; i < log.size(); i++) {
            switch (log.get(i)) {
                case End end when end.endLsn() <= confirmed -> next = i + 1;
                case Mark mark when mark.lsn() <= confirmed -> next = i + 1;
                default -> {}
            }
        }
        return next;
    }

    private static List<Change> log(long txid, long end, String... ids) {
        List<Change> changes = new ArrayList<>();
        changes.add(new Begin(txid));
        for (String id : ids) {
            changes.add(new Row(
                    txid,
                    new OutboxRow(id, "user", "k", "t", "{}", null, Instant.EPOCH),
                    Instant.EPOCH,
                    Instant.EPOCH));
        }
        changes.add(new End(txid, end));
        return changes;
    }

    private static List<String> ids(PositionTracker.Batch batch) {
        return batch.rows().stream().map(row -> row.row().id()).toList();
    }
}

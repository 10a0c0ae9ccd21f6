package dev.signups.localstack.demo;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One line per signup when its e-mail is through; one line a second while there are more than {@value #LINES} of them a
 * second; a line now and then while e-mails wait. User ids are all it knows of a person.
 */
final class PipelineLog {

    /** So many signups are followed at once; more are only not shown. */
    static final int LIMIT = 50_000;

    private static final int LINES = 20;
    private static final long SECOND = 1000;
    private static final long SILENCE = 10_000;
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    private record Through(Published published, Settled settled) {}

    private final Consumer<String> out;
    private final Map<String, Published> waiting = new LinkedHashMap<>();
    private final List<Through> window = new ArrayList<>();
    private long windowEnd;
    private long lastLine;
    private int publishedInWindow;
    private int settledInWindow;
    private boolean burst;

    PipelineLog(Consumer<String> out, long now) {
        this.out = out;
        this.windowEnd = now + SECOND;
        this.lastLine = now;
    }

    void published(Published published) {
        if (waiting.size() < LIMIT) {
            waiting.putIfAbsent(published.userId(), published);
        }
        publishedInWindow++;
    }

    /** Who is published and not known to be through. */
    List<String> waiting() {
        return List.copyOf(waiting.keySet());
    }

    void settled(Settled settled) {
        Published published = waiting.remove(settled.userId());
        if (published != null) {
            window.add(new Through(published, settled));
            settledInWindow++;
        }
    }

    /** Prints what there is to say; called a few times a second. */
    void tick(long now) {
        boolean windowOver = now >= windowEnd;
        burst |= isBusy();
        if (burst && windowOver) {
            if (publishedInWindow + settledInWindow > 0) {
                print(now, summary());
            }
            window.clear();
            burst = isBusy();
        } else if (!burst) {
            window.forEach(through -> print(now, line(through)));
            window.clear();
        }
        if (windowOver) {
            publishedInWindow = 0;
            settledInWindow = 0;
            windowEnd = now + SECOND;
        }
        if (!waiting.isEmpty() && now - lastLine >= SILENCE) {
            long oldest = waiting.values().iterator().next().publishedAt();
            print(now, "%d on their way, the oldest for %d s".formatted(waiting.size(), (now - oldest) / SECOND));
        }
    }

    private boolean isBusy() {
        return Math.max(publishedInWindow, settledInWindow) > LINES;
    }

    private void print(long now, String text) {
        lastLine = now;
        out.accept(CLOCK.format(Instant.ofEpochMilli(now)) + "  " + text);
    }

    private static String line(Through through) {
        return "%s  committed → published %d ms → %s %d ms"
                .formatted(
                        through.published().userId(),
                        publishing(through),
                        through.settled().sent() ? "accepted" : "FAILED after",
                        delivering(through));
    }

    private String summary() {
        String text = "%d published, %d on their way".formatted(publishedInWindow, waiting.size());
        List<Through> sent =
                window.stream().filter(through -> through.settled().sent()).toList();
        if (!sent.isEmpty()) {
            text += ", %d accepted: committed → published p50 %d ms, max %d ms → accepted p50 %d ms, max %d ms"
                    .formatted(
                            sent.size(),
                            middle(sent.stream().map(PipelineLog::publishing).toList()),
                            max(sent.stream().map(PipelineLog::publishing).toList()),
                            middle(sent.stream().map(PipelineLog::delivering).toList()),
                            max(sent.stream().map(PipelineLog::delivering).toList()));
        }
        int failed = window.size() - sent.size();
        return failed == 0 ? text : text + ", " + failed + " FAILED";
    }

    private static long publishing(Through through) {
        return Math.max(
                0, through.published().publishedAt() - through.published().committedAt());
    }

    private static long delivering(Through through) {
        return Math.max(0, through.settled().at() - through.published().publishedAt());
    }

    private static long middle(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static long max(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).max().orElse(0);
    }
}

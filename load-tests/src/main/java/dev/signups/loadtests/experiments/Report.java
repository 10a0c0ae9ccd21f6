package dev.signups.loadtests.experiments;

import dev.signups.loadtests.Outcome;
import dev.signups.loadtests.Workspace;
import dev.signups.loadtests.experiments.Plot.Line;
import dev.signups.loadtests.experiments.StageResult.Point;
import dev.signups.loadtests.experiments.StageResult.Poison;
import dev.signups.loadtests.signup.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One page that needs nothing else, and the main plot as an image. Every figure in it was measured in this run. */
final class Report {

    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(4);
    private static final double HOUR = 3600;

    private final Workspace workspace;
    private final boolean quick;
    private final StageResult one;
    private final StageResult two;
    private final StageResult three;
    private final Outcome outcome;

    Report(Workspace workspace, boolean quick, StageResult one, StageResult two, StageResult three, Outcome outcome) {
        this.workspace = workspace;
        this.quick = quick;
        this.one = one;
        this.two = two;
        this.three = three;
        this.outcome = outcome;
    }

    void write() throws IOException {
        Path folder = workspace.report();
        Plot main = latencies("Answer times at 150 signups a second", StageResult::busy);
        Path page = folder.resolve("index.html");
        Files.writeString(page, page(main));
        workspace.say("the report is " + page);
        ImageCanvas image = new ImageCanvas(Plot.WIDTH, Plot.HEIGHT);
        main.draw(image);
        image.write(folder.resolve("stages.png"));
    }

    private String page(Plot main) {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <title>The article's experiments at its three stages</title>
                <style>
                body { font: 16px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; }
                table { border-collapse: collapse; margin: 1em 0; }
                th, td { border-bottom: 1px solid #ccc; padding: .3em .7em; text-align: left; vertical-align: top; }
                .missed { font-weight: bold; text-decoration: underline; }
                svg { width: 100%%; max-width: 50em; display: block; margin: 1em 0; }
                @media print { body { margin: 0; } svg, table { break-inside: avoid; } }
                </style>
                </head>
                <body>
                <h1>The article's experiments at its three stages</h1>
                <p>Stage 1 calls the provider in the request, stage 2 has a table of jobs and a worker that polls it, stage 3
                is this pipeline. The provider takes 2 to 4 s and fails one time in five. Requests arrive at a constant rate
                whatever becomes of the ones before, and count from when they were due.%s</p>
                <h2>Beside the article</h2>
                %s
                <h2>Stages and properties</h2>
                %s
                <h2>Plots</h2>
                %s
                <h2>The article's band-aids on stage 1, at 150 signups a second</h2>
                %s
                <h2>Targets</h2>
                %s
                </body>
                </html>
                """.formatted(
                        quick ? " <strong>This was a quick run: too short for figures to be quoted.</strong>" : "",
                        besideTheArticle(),
                        properties(),
                        Stream.of(
                                        main,
                                        latencies("Answer times at 20 signups a second", StageResult::slow),
                                        throughput(),
                                        depth())
                                .map(Report::svg)
                                .collect(Collectors.joining("\n")),
                        bandAids(),
                        targets());
    }

    private String besideTheArticle() {
        return table(
                List.of("", "the article", "this run"),
                List.of(
                        List.of("stage 1 at 20/s: p95, errors", "3.89 s, 20 %", latencyAndErrors(one.slow())),
                        List.of(
                                "stage 1 at 150/s: answers a second, p95",
                                "65/s, 36.9 s",
                                "%s/s, %s"
                                        .formatted(
                                                Outcome.rounded(one.busy().answersPerSecond(FIRST_ANSWERS)),
                                                time(one.busy().percentile(95)))),
                        List.of("stage 2 at 150/s: p95, errors", "3.97 ms, 0", latencyAndErrors(two.busy())),
                        List.of("stage 3 at 150/s: p95, errors", "–", latencyAndErrors(three.busy())),
                        List.of(
                                "stage 1, provider stopped: half-done signups",
                                "all failed ones",
                                "%d of %d failed; the retry is answered %d"
                                        .formatted(
                                                one.outage().halfDone(),
                                                one.outage().failed(),
                                                one.outage().retryStatus()))));
    }

    private String properties() {
        List<List<String>> rows = new ArrayList<>();
        row(rows, "20/s: p50, p95, p99", stage -> percentiles(stage.slow()));
        row(rows, "20/s: errors", stage -> Outcome.rounded(stage.slow().errorPercent()) + " %");
        row(rows, "150/s: p50, p95, p99", stage -> percentiles(stage.busy()));
        row(
                rows,
                "150/s: answered a second",
                stage -> Outcome.rounded(stage.busy().answersPerSecond(FIRST_ANSWERS)));
        row(
                rows,
                "150/s: errors, dropped arrivals, without an answer in the grace",
                stage -> "%s %%, %d, %d"
                        .formatted(
                                Outcome.rounded(stage.busy().errorPercent()),
                                stage.busy().dropped(),
                                stage.busy().interrupted()));
        row(
                rows,
                "150/s: virtual users needed",
                stage -> Integer.toString(stage.busy().maxUsers()));
        row(
                rows,
                "provider stopped: signups, failed, half done, the first again",
                stage -> "%d, %d, %d, %d"
                        .formatted(
                                stage.outage().requests(),
                                stage.outage().failed(),
                                stage.outage().halfDone(),
                                stage.outage().retryStatus()));
        row(
                rows,
                "provider started again: e-mails that waited, time to drain",
                stage -> stage.stage() == 1
                        ? "none: they are lost"
                        : "%d, %s%s"
                                .formatted(
                                        stage.outage().waiting(),
                                        time(stage.outage().drainSeconds() * 1000),
                                        stage.outage().extrapolated() ? " (extrapolated from the pace below)" : ""));
        row(rows, "e-mails accepted a second", stage -> Outcome.rounded(stage.emailsPerSecond()));
        row(
                rows,
                "sender killed in mid-send: e-mails sent again",
                stage -> stage.duplicates() == null ? "–" : stage.duplicates().toString());
        row(rows, "ten poison addresses before ten others", stage -> poison(stage.poison()));
        row(
                rows,
                "20/s with everything behind the front door stopped",
                stage -> stage.alone() == null
                        ? "–"
                        : latencyAndErrors(stage.alone()) + "; every e-mail went out when all was back");
        row(rows, "sender stopped: what tells", StageResult::workerStopped);
        return table(List.of("", "stage 1", "stage 2", "stage 3"), rows);
    }

    private void row(List<List<String>> rows, String name, Function<StageResult, String> cell) {
        rows.add(List.of(name, cell.apply(one), cell.apply(two), cell.apply(three)));
    }

    private static String poison(@Nullable Poison poison) {
        return poison == null
                ? "–"
                : "asked for %d times in %s s; %d of the others sent; %d dead letters"
                        .formatted(
                                poison.asked(),
                                Outcome.rounded(poison.seconds()),
                                poison.othersSent(),
                                poison.deadLetters());
    }

    private String bandAids() {
        return table(
                List.of("", "p95", "errors", "answered a second", "dropped, without an answer", "virtual users needed"),
                Stream.concat(
                                Stream.of(bandAid("none", one.busy())),
                                one.bandAids().entrySet().stream().map(each -> bandAid(each.getKey(), each.getValue())))
                        .toList());
    }

    private static List<String> bandAid(String name, Measurement measured) {
        return List.of(
                name,
                time(measured.percentile(95)),
                Outcome.rounded(measured.errorPercent()) + " %",
                Outcome.rounded(measured.answersPerSecond(FIRST_ANSWERS)),
                measured.dropped() + ", " + measured.interrupted(),
                Integer.toString(measured.maxUsers()));
    }

    private String targets() {
        return table(
                List.of("target", "measured", "wanted", ""),
                outcome.targets().stream()
                        .map(target -> List.of(
                                target.name(), target.measured(), target.target(), target.met() ? "met" : "MISSED"))
                        .toList());
    }

    private Plot latencies(String title, Function<StageResult, Measurement> load) {
        return new Plot(
                title,
                "per cent of the answers that came at least as quickly",
                "milliseconds, logarithmic",
                true,
                Stream.of(one, two, three)
                        .map(stage -> {
                            List<Point> points = new ArrayList<>();
                            for (double percent = 0.5; percent <= 100; percent += 0.5) {
                                points.add(new Point(percent, load.apply(stage).percentile(percent)));
                            }
                            return new Line(stage.stage(), points);
                        })
                        .toList());
    }

    private Plot throughput() {
        return new Plot(
                "Answers a second at 150 signups a second",
                "seconds",
                "answers a second",
                false,
                Stream.of(one, two, three)
                        .map(stage -> {
                            int[] counts = stage.busy().answersBySecond();
                            List<Point> points = new ArrayList<>();
                            // the last second is not a whole one
                            for (int second = 0; second < counts.length - 1; second++) {
                                points.add(new Point(second, counts[second]));
                            }
                            return new Line(stage.stage(), points);
                        })
                        .toList());
    }

    private Plot depth() {
        return new Plot(
                "E-mails that wait, at 150 signups a second",
                "seconds",
                "e-mails",
                false,
                Stream.of(two, three)
                        .map(stage -> new Line(stage.stage(), stage.depth()))
                        .toList());
    }

    private static String svg(Plot plot) {
        SvgCanvas canvas = new SvgCanvas(Plot.WIDTH, Plot.HEIGHT, plot.title());
        plot.draw(canvas);
        return canvas.svg();
    }

    private static String latencyAndErrors(Measurement measured) {
        return time(measured.percentile(95)) + ", " + Outcome.rounded(measured.errorPercent()) + " %";
    }

    private static String percentiles(Measurement measured) {
        return Stream.of(50, 95, 99)
                .map(percent -> time(measured.percentile(percent)))
                .collect(Collectors.joining(", "));
    }

    private static String time(double millis) {
        double seconds = millis / 1000;
        return seconds >= HOUR
                ? Outcome.rounded(seconds / HOUR) + " h"
                : seconds >= 1 ? Outcome.rounded(seconds) + " s" : Outcome.rounded(millis) + " ms";
    }

    private static String table(List<String> heads, List<List<String>> rows) {
        return "<table><tr>"
                + heads.stream()
                        .map(head -> "<th>" + SvgCanvas.escape(head) + "</th>")
                        .collect(Collectors.joining())
                + "</tr>\n"
                + rows.stream()
                        .map(row -> row.stream()
                                .map(cell -> (cell.equals("MISSED") ? "<td class=\"missed\">" : "<td>")
                                        + SvgCanvas.escape(cell) + "</td>")
                                .collect(Collectors.joining("", "<tr>", "</tr>\n")))
                        .collect(Collectors.joining())
                + "</table>";
    }
}

package dev.signups.loadtests.experiments;

import dev.signups.loadtests.experiments.Canvas.Anchor;
import dev.signups.loadtests.experiments.Canvas.Pixel;
import dev.signups.loadtests.experiments.Canvas.Stroke;
import dev.signups.loadtests.experiments.StageResult.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lines over one axis, each told by its dashes and by its name at its end as well as by its colour (of Okabe and Ito's
 * palette), so that neither print nor colour-blindness takes anything away.
 *
 * @param logarithmic whether the upright axis is
 */
record Plot(String title, String across, String up, boolean logarithmic, List<Line> lines) {

    static final int WIDTH = 760;
    static final int HEIGHT = 380;

    private static final int LEFT = 70;
    private static final int RIGHT = WIDTH - 90;
    private static final int TOP = 46;
    private static final int BOTTOM = HEIGHT - 50;
    private static final int TICKS = 5;
    private static final String INK = "#222222";
    private static final Stroke GRID = new Stroke("#dddddd", 1, List.of());
    private static final List<Stroke> STROKES = List.of(
            new Stroke("#D55E00", 2.5, List.of(9, 4)),
            new Stroke("#0072B2", 2.5, List.of(3, 3)),
            new Stroke("#000000", 2.5, List.of()));

    /** One stage's line. */
    record Line(int stage, List<Point> points) {}

    void draw(Canvas canvas) {
        double right = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::seconds)
                .max()
                .orElse(1);
        double highest = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::value)
                .max()
                .orElse(1);
        Axis axis = logarithmic ? Axis.logarithmic(highest) : Axis.linear(highest);
        canvas.text(new Pixel(LEFT, 22), Anchor.START, 15, INK, title);
        canvas.text(new Pixel((LEFT + RIGHT) / 2.0, HEIGHT - 12), Anchor.MIDDLE, 12, INK, across);
        canvas.textUpwards(new Pixel(16, (TOP + BOTTOM) / 2.0), 12, INK, up);
        for (double tick : axis.ticks()) {
            double y = y(axis, tick);
            canvas.line(List.of(new Pixel(LEFT, y), new Pixel(RIGHT, y)), GRID);
            canvas.text(new Pixel(LEFT - 6, y + 4), Anchor.END, 11, INK, number(tick));
        }
        double step = niceStep(right / TICKS);
        for (double tick = 0; tick <= right * 1.0001; tick += step) {
            canvas.text(new Pixel(x(right, tick), BOTTOM + 17), Anchor.MIDDLE, 11, INK, number(tick));
        }
        List<Double> taken = new ArrayList<>();
        for (Line line : lines) {
            if (line.points().isEmpty()) {
                continue;
            }
            Stroke stroke = STROKES.get(line.stage() - 1);
            canvas.line(
                    line.points().stream()
                            .map(point -> new Pixel(x(right, point.seconds()), y(axis, point.value())))
                            .toList(),
                    stroke);
            Point last = line.points().getLast();
            double y = y(axis, last.value()) + 4;
            for (double other : taken) {
                if (Math.abs(other - y) < 14) {
                    y = y < other ? other - 14 : other + 14;
                }
            }
            taken.add(y);
            canvas.text(
                    new Pixel(x(right, last.seconds()) + 6, y),
                    Anchor.START,
                    12,
                    stroke.colour(),
                    "stage " + line.stage());
        }
    }

    private static double x(double right, double value) {
        return LEFT + value / right * (RIGHT - LEFT);
    }

    private static double y(Axis axis, double value) {
        return BOTTOM - axis.share(value) * (BOTTOM - TOP);
    }

    private static double niceStep(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) : Double.toString(value);
    }

    private record Axis(double low, double high, boolean logarithmic, List<Double> ticks) {

        static Axis linear(double highest) {
            double step = niceStep(Math.max(highest, 1) / TICKS);
            List<Double> ticks = new ArrayList<>();
            for (double tick = 0; tick < highest + step; tick += step) {
                ticks.add(tick);
            }
            return new Axis(0, ticks.getLast(), false, ticks);
        }

        static Axis logarithmic(double highest) {
            List<Double> ticks = new ArrayList<>();
            double tick = 1;
            for (; tick < highest; tick *= 10) {
                ticks.add(tick);
            }
            ticks.add(tick);
            return new Axis(0, Math.log10(tick), true, ticks);
        }

        double share(double value) {
            double position = logarithmic ? Math.log10(Math.max(1, value)) : value;
            return Math.clamp((position - low) / (high - low), 0, 1);
        }
    }
}

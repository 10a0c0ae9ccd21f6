package dev.signups.loadtests;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What a scenario measured: its figures in the order of the result line, and each target met or missed. */
public final class Outcome {

    private final Map<String, String> figures = new LinkedHashMap<>();
    private final List<Target> targets = new ArrayList<>();

    /**
     * A target.
     *
     * @param name what is measured
     * @param measured the value, with its unit
     * @param target what it should be
     * @param met whether it is
     */
    public record Target(String name, String measured, String target, boolean met) {}

    /** A figure of the result line. */
    public Outcome figure(String key, long value) {
        figures.put(key, Long.toString(value));
        return this;
    }

    /** A figure of the result line, rounded to three significant places or so. */
    public Outcome figure(String key, double value) {
        figures.put(key, rounded(value));
        return this;
    }

    /** A target that is met or missed; one that could not be measured is missed. */
    public Outcome target(String name, String measured, String target, boolean met) {
        targets.add(new Target(name, measured, target, met));
        return this;
    }

    /** At least so much. */
    public Outcome atLeast(String name, double measured, double limit, String unit) {
        return target(name, rounded(measured) + unit, "≥ " + rounded(limit) + unit, measured >= limit);
    }

    /** At most so much. */
    public Outcome atMost(String name, double measured, double limit, String unit) {
        return target(name, rounded(measured) + unit, "≤ " + rounded(limit) + unit, measured <= limit);
    }

    /** All targets of another outcome, and those of its figures that are named. */
    public Outcome with(Outcome other, String... keys) {
        targets.addAll(other.targets);
        for (String key : keys) {
            figures.put(key, Objects.requireNonNull(other.figures.get(key), key));
        }
        return this;
    }

    /** The targets in the order they were told. */
    public List<Target> targets() {
        return List.copyOf(targets);
    }

    /** The figures by the keys of the result line. */
    public Map<String, String> figures() {
        return new LinkedHashMap<>(figures);
    }

    boolean isMet() {
        return targets.stream().allMatch(Target::met);
    }

    String table() {
        if (targets.isEmpty()) {
            return "";
        }
        int name = width(targets.stream().map(Target::name).toList(), "target");
        int measured = width(targets.stream().map(Target::measured).toList(), "measured");
        int target = width(targets.stream().map(Target::target).toList(), "wanted");
        String row = "%-" + name + "s  %" + measured + "s  %" + target + "s  %s%n";
        StringBuilder table = new StringBuilder(row.formatted("target", "measured", "wanted", ""));
        for (Target each : targets) {
            table.append(row.formatted(each.name(), each.measured(), each.target(), each.met() ? "met" : "MISSED"));
        }
        return table.toString();
    }

    String line(String scenario) {
        return "RESULT scenario=" + scenario
                + figures.entrySet().stream()
                        .map(figure -> " " + figure.getKey() + "=" + figure.getValue())
                        .collect(Collectors.joining());
    }

    /** As many decimals as a figure of that size deserves. */
    public static String rounded(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        double size = Math.abs(value);
        String format = size >= 100 || value == Math.rint(value) ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    private static int width(List<String> texts, String title) {
        return Math.max(
                title.length(), texts.stream().mapToInt(String::length).max().orElse(0));
    }
}

package dev.signups.loadtests.experiments;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws to SVG. */
final class SvgCanvas implements Canvas {

    private final StringBuilder svg = new StringBuilder();

    SvgCanvas(int width, int height, String title) {
        svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" font-family=\"sans-serif\">"
                .formatted(width, height, escape(title)));
    }

    @Override
    public void line(List<Pixel> points, Stroke stroke) {
        svg.append(String.format(
                Locale.ROOT,
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-dasharray=\"%s\" points=\"%s\"/>",
                stroke.colour(),
                stroke.width(),
                stroke.dashes().isEmpty()
                        ? "none"
                        : stroke.dashes().stream().map(String::valueOf).collect(Collectors.joining(" ")),
                points.stream()
                        .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", point.x(), point.y()))
                        .collect(Collectors.joining(" "))));
    }

    @Override
    public void text(Pixel at, Anchor anchor, int size, String colour, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">%s</text>",
                at.x(),
                at.y(),
                anchor.name().toLowerCase(Locale.ROOT),
                size,
                colour,
                escape(text)));
    }

    @Override
    public void textUpwards(Pixel at, int size, String colour, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\" font-size=\"%d\" fill=\"%s\">%s</text>",
                at.x(),
                at.y(),
                size,
                colour,
                escape(text)));
    }

    String svg() {
        return svg + "</svg>";
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

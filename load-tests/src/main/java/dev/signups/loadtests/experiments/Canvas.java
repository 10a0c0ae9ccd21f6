package dev.signups.loadtests.experiments;

import java.util.List;

/** Something to draw a plot on. */
interface Canvas {

    /** Where a text is held. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** A point in pixels from the upper left. */
    record Pixel(double x, double y) {}

    /**
     * How a line looks.
     *
     * @param colour as {@code #rrggbb}
     * @param dashes lengths of dash and gap; empty for a solid line
     */
    record Stroke(String colour, double width, List<Integer> dashes) {}

    void line(List<Pixel> points, Stroke stroke);

    void text(Pixel at, Anchor anchor, int size, String colour, String text);

    /** Upwards, its middle at the point. */
    void textUpwards(Pixel at, int size, String colour, String text);
}

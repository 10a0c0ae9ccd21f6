package dev.signups.loadtests.experiments;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/** Draws to an image of twice the size, for screens of high density. */
final class ImageCanvas implements Canvas {

    private static final int SCALE = 2;

    private final BufferedImage image;
    private final Graphics2D graphics;

    ImageCanvas(int width, int height) {
        System.setProperty("java.awt.headless", "true");
        image = new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.scale(SCALE, SCALE);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
    }

    @Override
    public void line(List<Pixel> points, Stroke stroke) {
        Path2D path = new Path2D.Double();
        for (Pixel point : points) {
            if (path.getCurrentPoint() == null) {
                path.moveTo(point.x(), point.y());
            } else {
                path.lineTo(point.x(), point.y());
            }
        }
        float[] dashes = new float[stroke.dashes().size()];
        for (int i = 0; i < dashes.length; i++) {
            dashes[i] = stroke.dashes().get(i);
        }
        graphics.setStroke(new BasicStroke(
                (float) stroke.width(),
                BasicStroke.CAP_BUTT,
                BasicStroke.JOIN_ROUND,
                1,
                dashes.length == 0 ? null : dashes,
                0));
        graphics.setColor(Color.decode(stroke.colour()));
        graphics.draw(path);
    }

    @Override
    public void text(Pixel at, Anchor anchor, int size, String colour, String text) {
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, size));
        graphics.setColor(Color.decode(colour));
        int width = graphics.getFontMetrics().stringWidth(text);
        double left = switch (anchor) {
            case START -> at.x();
            case MIDDLE -> at.x() - width / 2.0;
            case END -> at.x() - width;
        };
        graphics.drawString(text, (float) left, (float) at.y());
    }

    @Override
    public void textUpwards(Pixel at, int size, String colour, String text) {
        AffineTransform before = graphics.getTransform();
        graphics.translate(at.x(), at.y());
        graphics.rotate(-Math.PI / 2);
        text(new Pixel(0, 0), Anchor.MIDDLE, size, colour, text);
        graphics.setTransform(before);
    }

    void write(Path file) throws IOException {
        graphics.dispose();
        ImageIO.write(image, "png", file.toFile());
    }
}

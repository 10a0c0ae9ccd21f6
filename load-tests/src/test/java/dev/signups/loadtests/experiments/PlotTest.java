package dev.signups.loadtests.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signups.loadtests.experiments.StageResult.Point;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class PlotTest {

    private static final Plot PLOT = new Plot(
            "Answers & <times>",
            "seconds",
            "ms",
            true,
            List.of(
                    new Plot.Line(1, List.of(new Point(0, 3000), new Point(100, 36900))),
                    new Plot.Line(2, List.of(new Point(0, 2), new Point(100, 4))),
                    new Plot.Line(3, List.of(new Point(0, 2), new Point(100, 4)))));

    @TempDir
    Path folder;

    @Test
    void tellsLinesApartWithoutColour() throws Exception {
        SvgCanvas canvas = new SvgCanvas(Plot.WIDTH, Plot.HEIGHT, PLOT.title());
        PLOT.draw(canvas);
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(canvas.svg().getBytes(StandardCharsets.UTF_8)));

        assertThat(elements(svg, "polyline"))
                .filteredOn(line -> line.getAttribute("stroke-width").equals("2.5"))
                .extracting(line -> line.getAttribute("stroke-dasharray"))
                .doesNotHaveDuplicates()
                .hasSize(3);
        List<Element> names = elements(svg, "text").stream()
                .filter(text -> text.getTextContent().startsWith("stage "))
                .toList();
        assertThat(names).hasSize(3);
        assertThat(names).extracting(name -> name.getAttribute("y")).doesNotHaveDuplicates();
        assertThat(svg.getDocumentElement().getAttribute("aria-label")).isEqualTo("Answers & <times>");
    }

    @Test
    void isAnImageToo() throws Exception {
        ImageCanvas canvas = new ImageCanvas(Plot.WIDTH, Plot.HEIGHT);
        PLOT.draw(canvas);
        canvas.write(folder.resolve("plot.png"));

        assertThat(ImageIO.read(folder.resolve("plot.png").toFile()).getWidth()).isEqualTo(2 * Plot.WIDTH);
    }

    private static List<Element> elements(Document document, String name) {
        var found = document.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }
}

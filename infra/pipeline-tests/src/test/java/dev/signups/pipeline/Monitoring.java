package dev.signups.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboards and alerts of {@code infra}. */
final class Monitoring {

    static final Path PROMETHEUS = Path.of("../prometheus");
    static final Path DASHBOARDS = Path.of("../grafana/dashboards");

    private Monitoring() {}

    static List<JsonNode> alerts() {
        return Contract.yaml(PROMETHEUS.resolve("alerts.yaml"))
                .path("groups")
                .valueStream()
                .flatMap(group -> group.path("rules").valueStream())
                .toList();
    }

    static List<JsonNode> dashboards() {
        try (Stream<Path> files = Files.list(DASHBOARDS)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .map(file -> JsonMapper.shared().readTree(Contract.read(file)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every metric that an alert or a panel asks for. */
    static Set<String> metrics() {
        Set<String> names = new TreeSet<>();
        Stream.concat(alerts().stream(), dashboards().stream())
                .flatMap(document -> document.findValuesAsString("expr").stream())
                .forEach(expression -> names.addAll(PromQl.metrics(expression)));
        return names;
    }
}

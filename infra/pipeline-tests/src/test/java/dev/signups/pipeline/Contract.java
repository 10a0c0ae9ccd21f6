package dev.signups.pipeline;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The files of {@code infra/contracts}. */
final class Contract {

    static final Path FOLDER = Path.of("../contracts");

    /** What only people read. */
    private static final Set<String> ANNOTATIONS = Set.of("title", "description", "examples", "$comment");

    private Contract() {}

    static JsonNode json(String file) {
        return JsonMapper.shared().readTree(read(FOLDER.resolve(file)));
    }

    static JsonNode yaml(Path file) {
        return YAMLMapper.shared().readTree(read(file));
    }

    /** What is wrong with an event; empty where nothing is. */
    static List<String> flaws(JsonNode schema, JsonNode event) {
        Schema compiled = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema);
        return compiled
                .validate(event, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Error::toString)
                .toList();
    }

    /** What a reader of the published schema could miss in events of the proposed one: members may come, none may go. */
    static List<String> breaks(JsonNode published, JsonNode proposed) {
        List<String> breaks = new ArrayList<>();
        compare("", published, proposed, breaks);
        return breaks;
    }

    private static void compare(String place, JsonNode published, JsonNode proposed, List<String> breaks) {
        for (String keyword : published.propertyNames()) {
            JsonNode before = published.path(keyword);
            JsonNode now = proposed.path(keyword);
            switch (keyword) {
                case "properties" -> {
                    for (String name : before.propertyNames()) {
                        if (now.has(name)) {
                            compare(place + "/" + name, before.path(name), now.path(name), breaks);
                        } else {
                            breaks.add(place + "/" + name + " was removed");
                        }
                    }
                }
                case "required" -> {
                    List<String> still =
                            now.valueStream().map(JsonNode::asString).toList();
                    before.valueStream()
                            .map(JsonNode::asString)
                            .filter(name -> !still.contains(name))
                            .forEach(name -> breaks.add(place + "/" + name + " is not required any more"));
                }
                default -> {
                    if (!ANNOTATIONS.contains(keyword) && !before.equals(now)) {
                        breaks.add("%s: %s was %s and is %s".formatted(place, keyword, before, now));
                    }
                }
            }
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

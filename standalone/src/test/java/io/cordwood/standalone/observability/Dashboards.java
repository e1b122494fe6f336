package io.cordwood.standalone.observability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The dashboards of {@code docker/observability/grafana}. */
final class Dashboards {
    private static final Path DIRECTORY = Path.of("docker/observability/grafana/dashboards");

    private Dashboards() {}

    /** Each dashboard, in the order of the files' names. */
    static List<JsonNode> all(Path root) throws IOException {
        List<JsonNode> dashboards = new ArrayList<>();
        try (Stream<Path> files = Files.list(root.resolve(DIRECTORY))) {
            for (Path file : files.sorted().toList()) {
                dashboards.add(new ObjectMapper().readTree(file.toFile()));
            }
        }
        return List.copyOf(dashboards);
    }

    /** Its panels that ask for something. */
    static List<JsonNode> panels(JsonNode dashboard) {
        return dashboard
                .required("panels")
                .valueStream()
                .filter(panel -> !panel.required("type").asText().equals("row"))
                .toList();
    }

    /** The variables that it defines. */
    static List<JsonNode> variables(JsonNode dashboard) {
        return dashboard.required("templating").required("list").valueStream().toList();
    }

    /** Names a panel in messages. */
    static String place(JsonNode dashboard, JsonNode panel) {
        return "%s, %s"
                .formatted(
                        dashboard.required("uid").asText(),
                        panel.required("title").asText());
    }
}

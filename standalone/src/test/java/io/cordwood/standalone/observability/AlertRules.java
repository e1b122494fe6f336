package io.cordwood.standalone.observability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** The alert rules of {@code docker/observability/prometheus}, with what tries them. */
final class AlertRules {
    private static final Path DIRECTORY = Path.of("docker/observability/prometheus");
    private static final Pattern COMPARISON = Pattern.compile("(.*) (?:==|>|<) ([0-9.]+)");

    private AlertRules() {}

    /** The file that promtool runs. */
    static Path tests(Path root) {
        return root.resolve(DIRECTORY).resolve("alerts.test.yml");
    }

    /** Each rule, as the file has it. */
    static List<JsonNode> all(Path root) throws IOException {
        return yaml(root.resolve(DIRECTORY).resolve("alerts.yml"))
                .required("groups")
                .valueStream()
                .flatMap(group -> group.required("rules").valueStream())
                .toList();
    }

    /** What a rule compares with its limit: it has a result also while the alert does not fire. */
    static String compared(JsonNode rule) {
        return comparison(rule).group(1);
    }

    /** The number with which a rule compares, as the file has it. */
    static String limit(JsonNode rule) {
        return comparison(rule).group(2);
    }

    private static Matcher comparison(JsonNode rule) {
        Matcher comparison = COMPARISON.matcher(rule.required("expr").asText());
        if (!comparison.matches()) {
            throw new IllegalArgumentException("Not a value, a comparison and a number: " + rule);
        }
        return comparison;
    }

    /** What is expected of the rule of this name, at some minute of some metrics. */
    static List<JsonNode> expectations(Path root, String name) throws IOException {
        return yaml(tests(root))
                .required("tests")
                .valueStream()
                .filter(test -> test.required("name").asText().equals(name))
                .flatMap(test -> test.required("promql_expr_test").valueStream())
                .toList();
    }

    /** The headings of the rules' sections, in the page that says what to do. */
    static List<String> sections(Path root) throws IOException {
        try (Stream<String> lines = Files.lines(root.resolve("docs/operate/alerts.md"))) {
            return lines.filter(line -> line.startsWith("### "))
                    .map(line -> line.substring(4))
                    .toList();
        }
    }

    private static JsonNode yaml(Path file) throws IOException {
        return new ObjectMapper().valueToTree(new Yaml().load(Files.readString(file)));
    }
}

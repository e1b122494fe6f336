package io.cordwood.standalone.observability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.standalone.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Each alert rule is tried, and has a section that says what to do. */
final class AlertRulesTest {
    private final Path root = Program.root();

    @Test
    void eachRuleIsExpectedToFireAndNotTo() throws IOException {
        for (JsonNode rule : AlertRules.all(root)) {
            String name = rule.required("alert").asText();
            List<JsonNode> expectations = AlertRules.expectations(root, name);
            assertThat(expectations)
                    .as(name)
                    .isNotEmpty()
                    .allSatisfy(expected -> assertThat(expected.required("expr").asText())
                            .isEqualTo("count(ALERTS{alertname=\"%s\", alertstate=\"firing\"})".formatted(name)));
            assertThat(expectations)
                    .as("%s fires", name)
                    .anyMatch(expected -> expected.required("exp_samples").size() == 1);
            assertThat(expectations)
                    .as("%s does not fire at once", name)
                    .anyMatch(expected -> expected.required("exp_samples").isEmpty());
        }
    }

    @Test
    void eachRuleHasASectionAndEachSectionARule() throws IOException {
        List<JsonNode> rules = AlertRules.all(root);
        assertThat(AlertRules.sections(root))
                .containsExactlyInAnyOrderElementsOf(rules.stream()
                        .map(rule -> rule.required("alert").asText())
                        .toList());
        for (JsonNode rule : rules) {
            String name = rule.required("alert").asText();
            assertThat(rule.required("annotations").path("runbook").asText())
                    .isEqualTo("docs/operate/alerts.md#" + name.toLowerCase(Locale.ROOT));
            assertThat(rule.required("labels").path("severity").asText())
                    .as(name)
                    .isIn("critical", "warning", "info");
        }
    }
}

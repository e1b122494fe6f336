package io.cordwood.standalone.observability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.standalone.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Panels say what they show and what to do, can be filtered, and have the limits of the alerts that they name. */
final class DashboardsTest {
    private static final String DATA_SOURCE = "${datasource}";
    private static final int COLUMNS = 24;

    /** Not those of Grafana, which begin with two underscores. */
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(?!__)(\\w+)");

    private static final Pattern METRIC = Pattern.compile("\\b(?:(?:cordwood|jvm)_\\w+|up)\\b");

    /** A panel that names an alert's section has its limit as a threshold. */
    private static final Pattern SECTION = Pattern.compile("docs/operate/alerts\\.md#(\\w+)");

    /** A panel without a threshold there may compute with the limit. */
    private static final Pattern LIMIT = Pattern.compile("the limit of ([A-Z]\\w+)");

    private final Path root = Program.root();

    @Test
    void eachPanelSaysWhatItShowsAndIsOfTheChosenDataSource() throws IOException {
        for (JsonNode dashboard : Dashboards.all(root)) {
            for (JsonNode panel : Dashboards.panels(dashboard)) {
                String place = Dashboards.place(dashboard, panel);
                assertThat(panel.path("description").asText()).as(place).isNotEmpty();
                if (!panel.path("type").asText().equals("logs")) {
                    assertThat(panel.at("/fieldConfig/defaults/unit").asText())
                            .as("unit of %s", place)
                            .isNotEmpty();
                }
                assertThat(panel.path("targets")).as(place).isNotEmpty();
                Stream.concat(Stream.of(panel), panel.path("targets").valueStream())
                        .forEach(asking -> assertThat(
                                        asking.at("/datasource/uid").asText())
                                .as("data source of %s", place)
                                .isEqualTo(DATA_SOURCE));
            }
        }
    }

    @Test
    void eachVariableIsDefinedAndUsed() throws IOException {
        for (JsonNode dashboard : Dashboards.all(root)) {
            Set<String> used = VARIABLE.matcher(dashboard.toString())
                    .results()
                    .map(variable -> variable.group(1))
                    .collect(Collectors.toSet());
            assertThat(Dashboards.variables(dashboard))
                    .as(dashboard.path("uid").asText())
                    .extracting(variable -> variable.required("name").asText())
                    .containsExactlyInAnyOrderElementsOf(used);
        }
    }

    @Test
    void eachDashboardLeadsToTheOthers() throws IOException {
        List<JsonNode> dashboards = Dashboards.all(root);
        Set<String> addresses = dashboards.stream()
                .map(dashboard -> "/d/" + dashboard.required("uid").asText())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(addresses).as("no two have one uid").hasSameSizeAs(dashboards);
        for (JsonNode dashboard : dashboards) {
            String own = "/d/" + dashboard.required("uid").asText();
            Set<String> leadsTo = dashboard
                    .path("links")
                    .valueStream()
                    .map(link -> link.path("url").asText())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(leadsTo).as(own).doesNotContain(own);
            leadsTo.add(own);
            assertThat(leadsTo).as(own).isEqualTo(addresses);
        }
    }

    @Test
    void panelsDoNotOverlapAndNoneIsHidden() throws IOException {
        for (JsonNode dashboard : Dashboards.all(root)) {
            Map<String, String> cells = new HashMap<>();
            for (JsonNode panel : dashboard.required("panels")) {
                String place = Dashboards.place(dashboard, panel);
                assertThat(panel.path("collapsed").asBoolean()).as(place).isFalse();
                JsonNode position = panel.required("gridPos");
                int left = position.required("x").asInt();
                int top = position.required("y").asInt();
                int right = left + position.required("w").asInt();
                assertThat(right).as(place).isLessThanOrEqualTo(COLUMNS);
                for (int y = top; y < top + position.required("h").asInt(); y++) {
                    for (int x = left; x < right; x++) {
                        assertThat(cells.put(x + "," + y, place)).as(place).isNull();
                    }
                }
            }
        }
    }

    @Test
    void eachAlertHasAPanelWithItsLimit() throws IOException {
        Map<String, JsonNode> rules = new HashMap<>();
        for (JsonNode rule : AlertRules.all(root)) {
            rules.put(rule.required("alert").asText().toLowerCase(Locale.ROOT), rule);
        }
        Set<String> shown = new TreeSet<>();
        for (JsonNode dashboard : Dashboards.all(root)) {
            for (JsonNode panel : Dashboards.panels(dashboard)) {
                String place = Dashboards.place(dashboard, panel);
                for (String name : named(SECTION, panel)) {
                    assertThat(rules).as(place).containsKey(name);
                    assertShows(place, panel, rules.get(name));
                    shown.add(name);
                }
                for (String name : named(LIMIT, panel)) {
                    JsonNode rule = rules.get(name.toLowerCase(Locale.ROOT));
                    assertThat(rule).as("%s: %s", place, name).isNotNull();
                    assertThat(expressions(panel))
                            .as("%s: the limit of %s", place, name)
                            .containsPattern("(?<![0-9.])" + Pattern.quote(AlertRules.limit(rule)) + "(?![0-9.])");
                }
            }
        }
        assertThat(shown).isEqualTo(new TreeSet<>(rules.keySet()));
    }

    private static List<String> named(Pattern pattern, JsonNode panel) {
        return pattern.matcher(panel.path("description").asText())
                .results()
                .map(name -> name.group(1))
                .toList();
    }

    private static String expressions(JsonNode panel) {
        return panel.path("targets")
                .valueStream()
                .map(target -> target.path("expr").asText())
                .collect(Collectors.joining(" "));
    }

    private static void assertShows(String place, JsonNode panel, JsonNode rule) {
        List<Double> thresholds = panel.at("/fieldConfig/defaults/thresholds/steps")
                .valueStream()
                .map(step -> step.path("value"))
                .filter(JsonNode::isNumber)
                .map(JsonNode::asDouble)
                .toList();
        assertThat(thresholds)
                .as("thresholds of %s for %s", place, rule.path("alert").asText())
                .contains(threshold(rule));
        if (panel.path("type").asText().equals("timeseries")) {
            assertThat(panel.at("/fieldConfig/defaults/custom/thresholdsStyle/mode")
                            .asText())
                    .as("lines of %s", place)
                    .isEqualTo("dashed");
        }
        assertThat(metrics(expressions(panel)))
                .as("metrics of %s", place)
                .containsAll(metrics(AlertRules.compared(rule)));
    }

    /** Of counts, the first above 0 is 1; a threshold of 0 would colour 0 too. */
    private static double threshold(JsonNode rule) {
        String limit = AlertRules.limit(rule);
        boolean counts = !AlertRules.compared(rule).contains("rate(");
        return limit.equals("0") && counts ? 1 : Double.parseDouble(limit);
    }

    private static Set<String> metrics(String expression) {
        return METRIC.matcher(expression).results().map(MatchResult::group).collect(Collectors.toSet());
    }
}

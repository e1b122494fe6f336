package io.cordwood.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutingTableParserTest {
    private static final String DOCUMENTED = """
            {"version": 7, "stream": "logs", "routes": {"acme": [{"partition": 3, "weight": 0.6}, {"partition": 9, "weight": 0.4}]}}""";

    @Test
    void anEpochIsKeptAndMayBeAbsent() {
        RoutingTable table = new RoutingTable("9f", 7, "logs", Map.of());
        assertThat(RoutingTableParser.toJson(table))
                .isEqualTo("{\"epoch\":\"9f\",\"version\":7,\"stream\":\"logs\",\"routes\":{}}");
        assertThat(RoutingTableParser.fromJson(RoutingTableParser.toJson(table)))
                .isEqualTo(table);
        assertThat(table.replaces(new RoutingTable("9f", 7, "logs", Map.of()))).isFalse();
        assertThat(table.replaces(new RoutingTable("9f", 6, "logs", Map.of()))).isTrue();
        assertThat(table.replaces(new RoutingTable(8, "logs", Map.of()))).isTrue();
    }

    @Test
    void readsTheDocumentedForm() {
        assertThat(RoutingTableParser.fromJson(DOCUMENTED))
                .isEqualTo(new RoutingTable(7, "logs", Map.of("acme", List.of(new Route(3, 0.6), new Route(9, 0.4)))));
    }

    @Test
    void writesTheDocumentedForm() {
        assertThat(RoutingTableParser.toJson(RoutingTableParser.fromJson(DOCUMENTED)))
                .isEqualTo(DOCUMENTED.replace(" ", ""));
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(
                        RoutingTableParser.fromJson(
                                "{\"by\":{\"x\":[1]},\"routes\":{\"a\":[{\"partition\":1,\"weight\":1,\"since\":[]}]},\"stream\":\"s\",\"version\":1}"))
                .isEqualTo(new RoutingTable(1, "s", Map.of("a", List.of(new Route(1, 1)))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | expected START_OBJECT",
                "[] | expected START_OBJECT",
                "{\"version\":1,\"stream\":\"s\"} | lacks version, stream or routes",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{}} x | Unrecognized token",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{}} 1 | text after it",
                "{\"version\":1.5,\"stream\":\"s\",\"routes\":{}} | expected VALUE_NUMBER_INT",
                "{\"version\":-1,\"stream\":\"s\",\"routes\":{}} | cannot be negative",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{\"a\":[]}} | sum to 0.0 instead of 1",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{\"a\":[{\"partition\":1,\"weight\":0.5}]}} | sum to 0.5",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{\"a\":[{\"partition\":-1,\"weight\":1}]}} | cannot be negative",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{\"a\":[{\"partition\":1,\"weight\":2}]}} | at most 1",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{\"a\":[{\"partition\":1,\"weight\":\"1\"}]}} | not a number",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{\"a\":[{\"weight\":1}]}} | lacks partition or weight",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{\"a\":[{\"partition\":1,\"weight\":0.5},{\"partition\":1,\"weight\":0.5}]}} | two routes",
                "{\"version\":1,\"stream\":\"s\",\"routes\":{\"a\":[{\"partition\":1,\"weight\":1}],\"a\":[{\"partition\":1,\"weight\":1}]}} | occurs twice"
            })
    void refusesWhatIsNoRoutingTable(String json, String message) {
        assertThatThrownBy(() -> RoutingTableParser.fromJson(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Provide
    Arbitrary<RoutingTable> tables() {
        Arbitrary<List<Route>> routes = Arbitraries.integers()
                .between(1, 50)
                .list()
                .uniqueElements()
                .ofMinSize(1)
                .ofMaxSize(5)
                .map(partitions -> partitions.stream()
                        .map(partition -> new Route(partition, 1.0 / partitions.size()))
                        .toList());
        return Arbitraries.maps(Arbitraries.strings().ofMinLength(1), routes)
                .ofMaxSize(5)
                .map(LinkedHashMap::new)
                .map(tenants -> new RoutingTable(tenants.size(), "logs", tenants));
    }

    @Property(tries = 300)
    void whatIsWrittenIsReadBack(@ForAll("tables") RoutingTable table) {
        assertThat(RoutingTableParser.fromJson(RoutingTableParser.toJson(table)))
                .isEqualTo(table);
    }
}

package io.cordwood.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever text Redis has for a table: a table that is written and read as itself, or an error that says what is wrong.
 */
class RoutingTableFuzzTest {
    static Stream<byte[]> tables() {
        return Stream.of(
                        "{\"version\":7,\"stream\":\"logs\",\"routes\":{\"acme\":[{\"partition\":3,\"weight\":0.6},{\"partition\":9,\"weight\":0.4}]}}",
                        "{\"by\":{\"x\":[1]},\"routes\":{\"a\":[{\"partition\":1,\"weight\":1,\"since\":[]}]},\"stream\":\"s\",\"version\":1}",
                        "{\"epoch\":\"9f\",\"version\":7,\"stream\":\"logs\",\"routes\":{}}")
                .map(json -> json.getBytes(UTF_8));
    }

    @MethodSource("tables")
    @FuzzTest
    void table(byte[] utf8) {
        String json = new String(utf8, UTF_8);
        RoutingTable table;
        try {
            table = RoutingTableParser.fromJson(json);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageMatching("(?s).+");
            return;
        }
        assertThat(RoutingTableParser.fromJson(RoutingTableParser.toJson(table)))
                .isEqualTo(table);
    }
}

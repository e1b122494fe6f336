package io.cordwood.standalone.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.scan.Timestamps;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TextFormatTest {
    private static final long MICROS = 1_605_052_800_000_001L;

    @Test
    void timeLevelAndMessageComeFirst() {
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("tenant_id", "acme");
        columns.put("api", "/read file");
        columns.put("message", "took 5 ms");
        columns.put("level", "WARN");
        columns.put("latency", 5L);
        columns.put("fail", false);

        assertThat(line(columns, Map.of()))
                .isEqualTo("2020-11-11T00:00:00.000001Z WARN took 5 ms api=\"/read file\" latency=5 fail=false\n");
    }

    @Test
    void membersWithoutColumnsAreShownAlike() {
        assertThat(line(Map.of(), Map.of("message", "hello"))).isEqualTo("2020-11-11T00:00:00.000001Z hello\n");
        assertThat(line(Map.of("n", 1L), Map.of("n", "one")))
                .as("the column wins")
                .isEqualTo("2020-11-11T00:00:00.000001Z n=1\n");
    }

    @Test
    void aRowIsALineAndNoEscapeSequence() {
        assertThat(line(Map.of("message", "a\nb\r\tc\u001b[31m \u00e4"), Map.of("k=", "say \"a\\b\"")))
                .isEqualTo(
                        "2020-11-11T00:00:00.000001Z a\\nb\\r\\tc\\u001b[31m \u00e4 \"k=\"=\"say \\\"a\\\\b\\\"\"\n");
        assertThat(line(Map.of("empty", ""), Map.of())).endsWith(" empty=\"\"\n");
    }

    @Test
    void timesBefore1970AreTimesToo() {
        assertThat(Timestamps.text(-1)).isEqualTo("1969-12-31T23:59:59.999999Z");
    }

    private static String line(Map<String, Object> columns, Map<String, String> attributes) {
        StringBuilder line = new StringBuilder();
        new TextFormat().append(new TailRow(MICROS, 0, 0, 0, columns, attributes), line);
        return line.toString();
    }
}

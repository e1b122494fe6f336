package io.cordwood.standalone.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonFormatTest {
    @Test
    void valuesKeepTheirTypes() {
        Map<String, Object> columns = new LinkedHashMap<>();
        columns.put("tenant_id", "acme");
        columns.put("message", "say \"a\"\n");
        columns.put("latency", 5L);
        columns.put("ratio", 0.5);
        columns.put("odd", Double.NaN);
        columns.put("fail", true);
        TailRow row = new TailRow(0, 3, 12, 0, columns, Map.of("k", "v"));
        StringBuilder line = new StringBuilder();

        new JsonFormat().append(row, line);

        assertThat(line.toString()).isEqualTo("""
                        {"ts":"1970-01-01T00:00:00.000000Z","tenant_id":"acme","message":"say \\"a\\"\\n","latency":5,\
                        "ratio":0.5,"odd":"NaN","fail":true,"attributes":{"k":"v"},"$kafka_partition":3,"$kafka_offset":12}
                        """);
    }
}

package io.cordwood.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** One row of the raw lines: what expected answers are computed from. */
record RequestRow(String tenant, long ts, String ip, String api, long latency, boolean fail, String log) {
    static void forEach(Path ndjson, Consumer<RequestRow> consumer) throws IOException {
        ObjectMapper json = new ObjectMapper();
        try (BufferedReader lines = Files.newBufferedReader(ndjson)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode node = json.readTree(line);
                consumer.accept(new RequestRow(
                        node.get("tenant_id").asText(),
                        node.get("ts").asLong(),
                        node.get("ip").asText(),
                        node.get("api").asText(),
                        node.get("latency").asLong(),
                        node.get("fail").asBoolean(),
                        node.get("log").asText()));
            }
        }
    }
}

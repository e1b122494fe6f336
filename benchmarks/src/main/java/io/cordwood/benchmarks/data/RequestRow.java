package io.cordwood.benchmarks.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One row of the raw lines, from which expected answers are computed. */
public record RequestRow(String tenant, long ts, String ip, String api, long latency, boolean fail, String log) {
    private static final List<String> MEMBERS = List.of("tenant_id", "ts", "ip", "api", "latency", "fail", "log");

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Receives a row. */
    public interface RowConsumer {
        void accept(RequestRow row) throws IOException;
    }

    public static void forEach(Path ndjson, RowConsumer consumer) throws IOException {
        long number = 0;
        try (BufferedReader lines = Files.newBufferedReader(ndjson)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                consumer.accept(of(parse(line, ndjson, number)));
            }
        }
    }

    /** Parses a generated line. */
    public static RequestRow parse(String line) throws IOException {
        return of(JSON.readTree(line));
    }

    private static RequestRow of(JsonNode node) {
        return new RequestRow(
                node.get("tenant_id").asText(),
                node.get("ts").asLong(),
                node.get("ip").asText(),
                node.get("api").asText(),
                node.get("latency").asLong(),
                node.get("fail").asBoolean(),
                node.get("log").asText());
    }

    private static JsonNode parse(String text, Path ndjson, long line) throws IOException {
        JsonNode node;
        try {
            node = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "line %d of %s is not a JSON object: %s".formatted(line, ndjson, e.getOriginalMessage()), e);
        }
        for (String member : MEMBERS) {
            if (!node.has(member)) {
                throw new IOException("line %d of %s has no %s".formatted(line, ndjson, member));
            }
        }
        return node;
    }
}

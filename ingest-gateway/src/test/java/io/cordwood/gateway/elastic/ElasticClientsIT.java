package io.cordwood.gateway.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.gateway.GatewayFixture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the official Python clients ship with their bulk helpers is what the ingest job reads. */
class ElasticClientsIT {
    private static final int DOCUMENTS = 1_000;

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static PythonClients clients;

    @BeforeAll
    static void start() throws Exception {
        clients = new PythonClients();
    }

    private static Map<String, Object> document(int i) {
        Map<String, Object> document = new HashMap<>();
        document.put("n", i);
        document.put("message", "line " + i + " said \"no\"\tand \\ left, é 日本 \uD83D\uDE00");
        document.put("ratio", i + 0.5);
        document.put("ok", i % 2 == 0);
        document.put("http", Map.of("status", 200 + i % 5, "path", "/a/" + i));
        document.put("tags", List.of("a", i));
        document.put("nothing", null);
        return document;
    }

    private static Map<String, Object> row(int i) {
        return Map.ofEntries(
                Map.entry("n", (long) i),
                Map.entry("message", "line " + i + " said \"no\"\tand \\ left, é 日本 \uD83D\uDE00"),
                Map.entry("ratio", i + 0.5),
                Map.entry("ok", i % 2 == 0),
                Map.entry("http.status", 200L + i % 5),
                Map.entry("http.path", "/a/" + i),
                Map.entry("tags", "[\"a\"," + i + "]"),
                Map.entry("index", "my-index"));
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void everyFieldOfEveryRow(String client) throws Exception {
        List<Map<String, Object>> documents = new ArrayList<>();
        Map<Object, Map<String, Object>> expected = new TreeMap<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(document(i));
            expected.put((long) i, row(i));
        }
        expected.put(-1L, Map.of("n", -1L, "index", "my-index", "document_id", "one"));
        JsonNode said = clients.ship(Map.of(
                "client",
                client,
                "url",
                gateway.uri().toString(),
                "tenant",
                client,
                "index",
                "my-index",
                "documents",
                documents));
        assertThat(said.get("taken").asInt()).isEqualTo(DOCUMENTS);
        assertThat(said.get("errors")).isEmpty();
        assertThat(said.get("version").asText()).startsWith("8.");
        assertThat(said.get("health").asText()).isEqualTo("green");
        assertThat(said.get("one").asText()).isEqualTo("created");
        assertThat(said.get("refused").asInt()).isEqualTo(400);
        assertThat(said.get("exists").asBoolean()).isTrue();
        Map<Object, Map<String, Object>> rows = new TreeMap<>();
        List<Map<String, Object>> members = gateway.members(client);
        members.forEach(row -> rows.put(row.get("n"), row));
        assertThat(members).hasSize(DOCUMENTS + 1);
        assertThat(rows).isEqualTo(expected);
    }
}

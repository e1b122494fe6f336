package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.Decoding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

class BulkBodyTest {
    private static final Set<String> STREAMS = Set.of("logs", "audit", "secret");

    private static final int DOCUMENTS = 14_000;

    private static Routes routes() {
        return new Routes(STREAMS::contains, stream -> {
            if (stream.equals("secret")) {
                throw new RefusedException(Reason.FORBIDDEN, "The key may not");
            }
        });
    }

    private record Result(List<BulkItem> items, Map<String, List<Payload>> payloads) {
        /** Lines of a stream as they travel. */
        String lines(String stream) {
            StringBuilder lines = new StringBuilder();
            payloads.getOrDefault(stream, List.of()).forEach(each -> lines.append(new String(each.value(), UTF_8)));
            return lines.toString();
        }

        List<Integer> statuses() {
            return items.stream()
                    .map(item -> item.error().map(ItemError::status).orElse(201))
                    .toList();
        }
    }

    private static Result read(byte[] body, Optional<String> index) {
        BulkBody bulk = new BulkBody(body, index, routes(), Memory.countedElsewhere());
        List<BulkItem> items = bulk.read();
        return new Result(items, bulk.payloads());
    }

    private static Result read(String body) {
        return read(body.getBytes(UTF_8), Optional.empty());
    }

    @Test
    void idsAreBounded() {
        String action = "{\"index\":{\"_index\":\"logs\",\"_id\":\"%s\"}}\n{}\n";
        Result result = read(action.formatted("i".repeat(512)) + action.formatted("\u00e9".repeat(257)));
        assertThat(result.statuses()).containsExactly(201, 400);
        assertThat(result.items().getLast().error().orElseThrow().reason())
                .isEqualTo("id is too long, must be no longer than 512 bytes but was: 514");
        assertThatThrownBy(() -> read(action.formatted("i".repeat(9 << 10))))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("line [1], it has a text of more than 8,192 bytes");
    }

    @Test
    void documentsTravelAsTheyAre() {
        Result result = read("""
            {"create":{"_index":"logs"}}
            { "b" : 1.50, "a":"\\u00e9" }
            {"index":{"_index":"audit"}}
            {"c":[ 1 ]}
            """);
        assertThat(result.lines("logs")).isEqualTo("{ \"b\" : 1.50, \"a\":\"\\u00e9\" }\n");
        assertThat(result.lines("audit")).isEqualTo("{\"c\":[ 1 ]}\n");
        assertThat(result.statuses()).containsExactly(201, 201);
    }

    /** As Elasticsearch reads it, and the Collector's exporter writes it. */
    @Test
    void anEpochInQuotesIsANumber() {
        assertThat(timestamp("\"1795168800123\"")).isEqualTo(" 1795168800123 ");
        assertThat(timestamp("\"1795168800123.456789\"")).isEqualTo(" 1795168800123.456789 ");
        for (String other : List.of(
                "\"2026\"",
                "\"20261120\"",
                "\"0795168800123\"",
                "\"1795168800123.\"",
                "\"1795168800123.4.5\"",
                "\"1795168800123Z\"",
                "\"-1795168800123\"",
                "\"\"",
                "\"2026-11-20T10:00:00Z\"",
                "1795168800123",
                "{\"@timestamp\":\"1795168800123\"}")) {
            assertThat(timestamp(other)).isEqualTo(other);
        }
        assertThat(read("{\"create\":{\"_index\":\"logs\"}}\n{\"n\":\"1795168800123\"}\n")
                        .lines("logs"))
                .isEqualTo("{\"n\":\"1795168800123\"}\n");
    }

    private static String timestamp(String value) {
        String line = read("{\"create\":{\"_index\":\"logs\"}}\n{\"@timestamp\":%s}\n".formatted(value))
                .lines("logs");
        assertThat(line).startsWith("{\"@timestamp\":").endsWith("}\n");
        return line.substring("{\"@timestamp\":".length(), line.length() - "}\n".length());
    }

    @Test
    void theIndexDecidesTheStream() {
        Result result = read("""
            {"create":{"_index":"audit-login-prod"}}
            {"a":1}
            {"create":{"_index":"metrics-cpu-a-b"}}
            {}
            {"create":{"_index":"my-app-2026.11.27"}}
            {"a":3}
            {"create":{"_index":"plain"}}
            { }
            """);
        assertThat(result.lines("audit"))
                .isEqualTo("{\"data_stream.type\":\"audit\",\"data_stream.dataset\":\"login\","
                        + "\"data_stream.namespace\":\"prod\",\"a\":1}\n");
        assertThat(result.lines("logs"))
                .isEqualTo("{\"data_stream.type\":\"metrics\",\"data_stream.dataset\":\"cpu\","
                        + "\"data_stream.namespace\":\"a-b\"}\n"
                        + "{\"index\":\"my-app-2026.11.27\",\"a\":3}\n"
                        + "{\"index\":\"plain\" }\n");
    }

    @Test
    void aDocumentsOwnMembersWin() {
        Result result = read("""
            {"create":{"_index":"plain"}}
            {"index":1}
            {"create":{"_index":"plain"}}
            {"a":{"index":1},"INDEX":2}
            {"create":{"_index":"plain"}}
            {"\\u0069ndex":3}
            {"create":{"_index":"plain"}}
            {"indexes":4}
            {"create":{"_index":"logs-a-b"}}
            {"data_stream":{"x":{"type":0},"dataset":"mine"},"data_stream.type":"t"}
            """);
        assertThat(result.lines("logs")).isEqualTo("""
            {"index":1}
            {"a":{"index":1},"INDEX":2}
            {"\\u0069ndex":3}
            {"index":"plain","indexes":4}
            {"data_stream.namespace":"b","data_stream":{"x":{"type":0},"dataset":"mine"},"data_stream.type":"t"}
            """);
    }

    @Test
    void anIdIsAColumn() {
        Result result = read("""
            {"create":{"_index":"logs","_id":"a\\"b"}}
            {"a":1}
            {"create":{"_index":"logs","_id":7}}
            {"document_id":"mine"}
            {"create":{"_index":"logs","_id":null}}
            {"a":3}
            """);
        assertThat(result.lines("logs")).isEqualTo("""
            {"document_id":"a\\"b","a":1}
            {"document_id":"mine"}
            {"a":3}
            """);
        assertThat(result.items())
                .extracting(BulkItem::id)
                .containsExactly(Optional.of("a\"b"), Optional.of("7"), Optional.empty());
    }

    @Test
    void aBadDocumentCostsOnlyItself() {
        Result result = read("""
            {"create":{"_index":"logs"}}
            {"n":1}
            {"create":{"_index":"logs"}}
            {"n":
            {"create":{"_index":"logs"}}
            {"n":2} {"n":3}

            {"delete":{"_index":"logs","_id":"1"}}
            {"update":{"_index":"logs","_id":"1"}}
            {"doc":{}}
            {"create":{"_index":"secret"}}
            {"n":4}
            {"create":{"_index":"logs"}}
            [5]
            {"create":{"_index":"%s"}}
            {"n":6}
            {"create":{"_index":"logs"}}
            {"n":7}
            """.formatted("x".repeat(256)));
        assertThat(result.statuses()).containsExactly(201, 400, 400, 400, 400, 403, 400, 400, 201);
        assertThat(result.items())
                .extracting(item -> item.error().map(ItemError::type).orElse(""))
                .containsExactly(
                        "",
                        "document_parsing_exception",
                        "document_parsing_exception",
                        "illegal_argument_exception",
                        "illegal_argument_exception",
                        "security_exception",
                        "document_parsing_exception",
                        "invalid_index_name_exception",
                        "");
        assertThat(result.lines("logs")).isEqualTo("{\"n\":1}\n{\"n\":7}\n");
        assertThat(result.lines("secret")).isEmpty();
    }

    private static void assertRefused(String body, String why) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED))
                .hasMessageContaining(why);
    }

    @Test
    void aBodyWhoseFormIsWrongIsRefusedAsAWhole() {
        assertRefused("{\"create\":{\"_index\":\"logs\"}}\n{}", "terminated by a newline");
        assertRefused("{\"create\":{\"_index\":\"logs\"}}\n", "without its document");
        assertRefused("{\"create\":{\"_index\":\"logs\"}}\n{}\n{\"n\":1}\n{}\n", "metadata line [3]");
        assertRefused("{\"create\":{\"_index\":\"logs\"}", "terminated by a newline");
        assertRefused("{\"create\":{\"_index\":[]}}\n{}\n", "expected a simple value for field [_index]");
        assertRefused("{\"create\":{\"nosuch\":1}}\n{}\n", "unknown parameter [nosuch]");
        assertRefused("{\"create\":{}}\n{}\n", "index is missing");
        assertRefused("{\"upsert\":{}}\n{}\n", "found [upsert]");
        assertRefused("{}\n{}\n", "metadata line [1]");
        assertRefused("", "no requests added");
        assertRefused("\n\n", "no requests added");
    }

    /** As Elasticsearch 8; {@code winston-elasticsearch} sends them. */
    @Test
    void membersBehindTheActionAreIgnored() {
        Result result = read(
                "{\"create\":{\"_index\":\"logs\",\"pipeline\":null},\"attempts\":0,\"b\":{\"c\":[1]}}\n{\"a\":1}\n");
        assertThat(result.lines("logs")).isEqualTo("{\"a\":1}\n");
        assertRefused("{\"create\":{\"_index\":\"logs\"},}\n{}\n", "metadata line [1]");
    }

    /** Else a small body could become many times its size in memory. */
    @Test
    void documentsThatAreAllIndexAreRefused() {
        byte[] body = "{\"create\":{}}\n{}\n".repeat(DOCUMENTS).getBytes(UTF_8);
        assertThat(read(body, Optional.of("logs")).items()).hasSize(DOCUMENTS);
        assertThatThrownBy(() -> read(body, Optional.of("x".repeat(200))))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
    }

    @Test
    void theIndexOfThePathIsTheDefault() {
        Result result = read(
                "{\"create\":{}}\r\n{\"a\":1}\r\n{\"index\":{\"_index\":\"logs\",\"_type\":\"_doc\"}}\n{\"a\":2}\n"
                        .getBytes(UTF_8),
                Optional.of("audit"));
        assertThat(result.lines("audit")).isEqualTo("{\"a\":1}\r\n");
        assertThat(result.lines("logs")).isEqualTo("{\"a\":2}\n");
    }

    @Provide
    Arbitrary<String> bodies() {
        Arbitrary<String> actions = Arbitraries.of(
                "{\"create\":{\"_index\":\"logs\"}}\n",
                "{\"index\":{\"_index\":\"logs-a-b\",\"_id\":\"x\"}}\n",
                "{\"create\":{\"_index\":\"other\"}}\r\n",
                "{\"update\":{}}\n",
                "\n{\"create\":{}}\n");
        Arbitrary<String> documents = Arbitraries.of(
                "{\"a\":1}\n",
                "{}\n",
                "{ }\r\n",
                "{\"data_stream\":{\"type\":1,\"x\":[{}]}}\n",
                "{\"data_stream\":{ \"x\" : { \"y\":1 }, \"DATASET\":1 }}\n",
                "{\"data_stream\":{}}\n",
                "{\"index\":null}\n",
                "{\"\\u0069ndex\":{\"a\":[]}}\n",
                "{\"a\":\n",
                "[1,\n",
                "{\"a\":\"\u0000\\\"}\n",
                "\n");
        Arbitrary<String> pairs = Combinators.combine(actions, documents).as(String::concat);
        Arbitrary<String> tails = Arbitraries.frequency(
                Tuple.of(9, ""), Tuple.of(1, "{"), Tuple.of(1, "{\"delete\":{\"_index\":\"logs\"}}\n"));
        return Combinators.combine(pairs.list().ofMaxSize(12), tails)
                .as((parts, tail) -> String.join("", parts) + tail);
    }

    /** Each document that the client hears of as created is a row to the ingest job. */
    @Property
    void whatIsTakenIsARow(@ForAll("bodies") String body) throws UndecodableRecordException {
        assertTaken(body.getBytes(UTF_8));
    }

    @Property
    void anyBytesAreTakenOrRefused(@ForAll byte[] body) throws UndecodableRecordException {
        assertTaken(body);
    }

    private static void assertTaken(byte[] body) throws UndecodableRecordException {
        Result result;
        try {
            result = read(body, Optional.of("logs"));
        } catch (RefusedException e) {
            return;
        }
        Decoding decoding = new Decoding();
        for (List<Payload> payloads : result.payloads().values()) {
            for (Payload payload : payloads) {
                decoding.add(payload.value(), payload.format().mediaType());
            }
        }
        assertThat((long) decoding.rows().size())
                .isEqualTo(result.statuses().stream()
                        .filter(status -> status == 201)
                        .count());
    }
}

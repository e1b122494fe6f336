package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cordwood.gateway.ShippedRows;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes as a bulk request: every item is answered, and each document that counts as created is a row. */
class BulkBodyFuzzTest {
    private static final Set<String> STREAMS = Set.of("logs", "audit");
    private static final String ACTION = "{\"create\":{\"_index\":\"audit\"}}\n";
    private static final String GOOD = "{ \"good\":1.50 }";

    private static Routes routes() {
        return new Routes(STREAMS::contains, _ -> {});
    }

    static Stream<byte[]> bodies() {
        return Stream.of("""
                        {"create":{"_index":"logs"}}
                        { "b" : 1.50, "a":"\\u00e9" }
                        {"index":{"_index":"audit-login-prod","_id":"a\\"b"}}
                        {"data_stream":{"x":{"type":0},"dataset":"mine"},"data_stream.type":"t"}
                        {"delete":{"_index":"logs","_id":"1"}}
                        {"update":{"_index":"logs","_id":7}}
                        {"doc":{}}
                        """, """
                        {"create":{"_index":"plain","_id":null,"routing":null}}\r
                        { }\r

                        {"create":{"_index":"logs"}}
                        {"n":2} {"n":3}
                        """, "{\"create\":{}}\n{\"\\u0069ndex\":{\"a\":[]}}\n")
                .map(text -> text.getBytes(UTF_8));
    }

    static Stream<byte[]> documents() {
        return Stream.of(
                        "{\"a\":1}",
                        "{ }\r",
                        "{\"data_stream\":{ \"x\" : { \"y\":1 }, \"DATASET\":1 }}",
                        "{\"index\":null,\"document_id\":[1]}",
                        "{\"data_stream\":{\"t\\u0079pe\":{\"a\":\n[]}}}",
                        "{\"a\":")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("bodies")
    @FuzzTest
    void bulk(byte[] body) throws Exception {
        BulkBody bulk = new BulkBody(body, Optional.of("logs-a-b"), routes(), Memory.countedElsewhere());
        List<BulkItem> items;
        try {
            items = bulk.read();
        } catch (RefusedException e) {
            assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
            return;
        }
        assertThat(items.size()).isLessThanOrEqualTo(body.length);
        Map<String, List<Payload>> payloads = bulk.payloads();
        assertThat(STREAMS).containsAll(payloads.keySet());
        assertThat(readable(payloads))
                .isEqualTo(items.stream().filter(item -> item.error().isEmpty()).count());
    }

    private static long readable(Map<String, List<Payload>> payloads) throws UndecodableRecordException {
        long rows = 0;
        for (List<Payload> each : payloads.values()) {
            rows += ShippedRows.requireReadable(each);
        }
        return rows;
    }

    @MethodSource("documents")
    @FuzzTest
    void aDocumentBetweenGoodOnes(byte[] document) throws Exception {
        for (String index : List.of("audit", "audit-b-c", "other")) {
            byte[] body = ShippedRows.join(
                    (ACTION + GOOD + "\n{\"index\":{\"_index\":\"" + index + "\",\"_id\":\"7\"}}\n").getBytes(UTF_8),
                    ShippedRows.withoutLineFeeds(document),
                    ("\n" + ACTION + GOOD + "\n").getBytes(UTF_8));
            BulkBody bulk = new BulkBody(body, Optional.empty(), routes(), Memory.countedElsewhere());
            List<BulkItem> items = bulk.read();
            assertThat(items).hasSize(3);
            assertThat(List.of(items.getFirst(), items.getLast()))
                    .allMatch(item -> item.error().isEmpty());
            Map<String, List<Payload>> payloads = bulk.payloads();
            assertThat(readable(payloads)).isEqualTo(items.get(1).error().isEmpty() ? 3 : 2);
            assertThat(ShippedRows.lines(payloads.get("audit")))
                    .startsWith(GOOD)
                    .endsWith(GOOD);
        }
    }

    @MethodSource("documents")
    @FuzzTest
    void oneDocument(byte[] document) throws Exception {
        Additions additions = BulkBody.withId(routes().of("logs-\u00e9-\"x").additions(), Optional.of("\u0000\n\\"));
        LineBatches rows = new LineBatches(Memory.countedElsewhere());
        try {
            new Documents().add(document, 0, document.length, additions, rows);
        } catch (UndecodableRecordException e) {
            assertThat(e).hasMessageMatching("(?s).+ at byte \\d+");
            assertThat(rows.finish()).isEmpty();
            return;
        }
        List<Payload> payloads = rows.finish();
        assertThat(ShippedRows.requireReadable(payloads)).isEqualTo(1);
        assertThat(ShippedRows.bytes(payloads)).isLessThanOrEqualTo(document.length + additions.bytes() + 10);
    }

    static Stream<byte[]> filters() {
        return Stream.of("errors,items.*.error,items.*.status", "-items,**.type", "items.create._*d", "\u001F")
                .map(text -> text.getBytes(UTF_8));
    }

    /** A pattern and the same one as an exclusion never want the same. */
    @MethodSource("filters")
    @FuzzTest
    void filterPath(byte[] parameter) {
        String pattern = new String(parameter, UTF_8)
                .codePoints()
                .filter(c -> c != ',' && c != '-' && !Character.isWhitespace(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        String[] path = {"items", "create", "error", "type"};
        boolean isIncluded = new FilterPath(Optional.of(pattern)).wants(path);
        boolean isExcluded = !new FilterPath(Optional.of("-" + pattern)).wants(path);
        assertThat(isIncluded).isEqualTo(isExcluded || pattern.isEmpty());
        assertThat(new FilterPath(Optional.of(new String(parameter, UTF_8))).wants(path))
                .isIn(true, false);
    }
}

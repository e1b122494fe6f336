package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.cordwood.logblock.match.Utf8;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.AssembledRows;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.buffer.CorruptChunkException;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What holds for every record, whatever is in it. */
class RecordPropertiesTest {
    private static final JsonFactory JACKSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    @Provide
    Arbitrary<String> objects() {
        return Records.objects();
    }

    @Provide
    Arbitrary<String> contentTypes() {
        return Arbitraries.of("", "application/json", "application/x-protobuf", "text/plain");
    }

    /** JSON that was cut, or in which single bytes were changed. */
    @Provide
    Arbitrary<byte[]> almostJson() {
        Arbitrary<String> bases = Arbitraries.oneOf(List.of(
                Records.objects(),
                Arbitraries.of(
                        "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"body\":{\"stringValue\":\"x\"}}]}]}]}",
                        "\n\u000e\u0012\f\u0012\n*\b\n\u0006abcdef")));
        return bases.flatMap(json -> {
            byte[] bytes = json.getBytes(UTF_8);
            return Arbitraries.integers()
                    .between(0, bytes.length)
                    .flatMap(at -> Arbitraries.integers().between(-1, 255).map(change -> changed(bytes, at, change)));
        });
    }

    private static byte[] changed(byte[] bytes, int at, int change) {
        if (change < 0) {
            return Arrays.copyOf(bytes, at);
        }
        byte[] copy = bytes.clone();
        if (at < copy.length) {
            copy[at] = (byte) change;
        }
        return copy;
    }

    @Property
    void anyBytesAreRowsOrUndecodable(@ForAll byte[] value, @ForAll("contentTypes") String contentType) {
        decodeOrRefuse(value, contentType);
    }

    @Property(tries = 2000)
    void almostJsonIsRowsOrUndecodable(@ForAll("almostJson") byte[] value, @ForAll("contentTypes") String contentType) {
        decodeOrRefuse(value, contentType);
    }

    private static void decodeOrRefuse(byte[] value, String contentType) {
        Decoding decoding = new Decoding();
        try {
            decoding.add(value, contentType);
        } catch (UndecodableRecordException e) {
            assertThat(decoding.buffers.getFirst().isEmpty()).isTrue();
        }
        assertThat(decoding.rows()).hasSize(decoding.buffers.getFirst().rowCount());
    }

    @Property(tries = 2000)
    void sameTextsAreJsonAsForJackson(@ForAll("almostJson") byte[] value) {
        if (!Utf8.isValid(value, 0, value.length) || value.length == 0 || value[0] == 0 || value[0] == '\n') {
            return;
        }
        // A byte 0 in front makes Jackson see UTF-16 or UTF-32; half a surrogate pair in a name it refuses.
        if ((value.length > 1 && value[1] == 0)
                || new String(value, UTF_8).toLowerCase(Locale.ROOT).contains("\\ud")) {
            return;
        }
        // Jackson alone takes a plus before a number that is none.
        if (new String(value, UTF_8).contains("+I")) {
            return;
        }
        boolean ours = true;
        try {
            new Decoding().add(value, "application/json");
        } catch (UndecodableRecordException e) {
            ours = e.reason() != UndecodableRecordException.Reason.MALFORMED_JSON;
        }
        assertThat(ours).as(new String(value, UTF_8)).isEqualTo(isObjectForJackson(value));
    }

    private static boolean isObjectForJackson(byte[] value) {
        try (JsonParser parser = JACKSON.createParser(value)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    @Property(tries = 200)
    void chunksHoldTheSameRows(@ForAll @Size(max = 30) List<@From("objects") String> values) throws Exception {
        Decoding decoding = new Decoding();
        for (String value : values) {
            decoding.add(value);
        }
        List<Map<String, Object>> rows = decoding.rows();
        RowBuffer buffer = decoding.buffers.getFirst();
        RowBuffer copy = RowBuffer.fromChunk(buffer.toChunk());
        decoding.buffers.set(0, copy);
        assertThat(decoding.rows()).isEqualTo(rows);
        assertThat(copy.rowCount()).isEqualTo(buffer.rowCount());
        assertThat(copy.oldestAppendMicros()).isEqualTo(buffer.oldestAppendMicros());
        assertThat(copy.toChunk()).isEqualTo(RowBuffer.fromChunk(copy.toChunk()).toChunk());
        if (!values.isEmpty()) {
            assertThat(copy.firstOffset()).isEqualTo(buffer.firstOffset());
            assertThat(copy.lastOffset()).isEqualTo(buffer.lastOffset());
        }
    }

    @Property(tries = 200)
    void rowsDoNotDependOnHowTheyWereBuffered(
            @ForAll @Size(max = 20) List<@From("objects") String> values, @ForAll @IntRange(min = 1, max = 5) int size)
            throws Exception {
        Decoding one = new Decoding();
        Decoding many = new Decoding();
        for (int i = 0; i < values.size(); i++) {
            one.add(values.get(i));
            if (i % size == 0) {
                RowBuffer last = many.buffers.getLast();
                many.buffers.set(many.buffers.size() - 1, RowBuffer.fromChunk(last.toChunk()));
                many.nextBuffer();
            }
            many.add(values.get(i));
        }
        List<Map<String, Object>> rows = one.rows();
        // The columns of the one, since their order is not promised.
        many.table = one.table;
        assertThat(many.rows()).isEqualTo(rows);
        RowBuffer used = one.buffers.getFirst();
        used.clear();
        Decoding again = new Decoding();
        again.table = one.table;
        again.buffers.set(0, used);
        for (String value : values) {
            again.add(value);
        }
        assertThat(again.rows()).isEqualTo(rows);
    }

    @Property(tries = 200)
    void rowsAreSortedAndComplete(@ForAll @Size(max = 30) List<@From("objects") String> values) throws Exception {
        Decoding decoding = new Decoding();
        for (String value : values) {
            decoding.add(value);
        }
        AssembledRows assembled = decoding.assembled();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (DayRows day : assembled.days()) {
            List<Map<String, Object>> ofDay = Decoding.rows(day, decoding.table);
            assertThat(ofDay)
                    .allSatisfy(row -> assertThat(Math.floorDiv((long) row.get("ts"), 86_400_000_000L))
                            .isEqualTo(day.epochDay()));
            rows.addAll(ofDay);
        }
        assertThat(rows).hasSize(values.size());
        assertThat(rows)
                .isSortedAccordingTo(Comparator.comparing((Map<String, Object> row) -> (Long) row.get("ts"))
                        .thenComparing(row -> (Long) row.get("_kafka_offset")));
        for (Map<String, Object> row : rows) {
            assertThat(row)
                    .containsEntry("tenant_id", Decoding.TENANT)
                    .containsEntry("_kafka_topic_id", "topic-id")
                    .containsEntry("_kafka_partition", 3L)
                    .containsEntry("_kafka_ordinal", 0L);
        }
    }

    /** A member of a record; its value is made unique by its place. */
    record Member(String name, int kind) {
        String value(int place) {
            return switch (kind) {
                case 0 -> "\"v" + place + "\"";
                case 1 -> Integer.toString(1000 + place);
                case 2 -> place + ".5";
                case 3 -> "123456789012345678901234" + place;
                case 4 -> "[" + place + "]";
                case 5 -> "1" + place + "e400";
                default -> "900719925474099" + (3 + 2 * place);
            };
        }

        String text(int place) {
            return value(place).replace("\"", "");
        }
    }

    @Provide
    Arbitrary<List<Member>> members() {
        return Combinators.combine(
                        Arbitraries.of("a", "A", "b", "b.c", "a.double", "tenant_id", "_x", "", "message"),
                        Arbitraries.integers().between(0, 6))
                .as(Member::new)
                .list()
                .ofMaxSize(12);
    }

    @Property(tries = 300)
    void everyValueIsInAColumnOrInAttributes(
            @ForAll @Size(max = 8) List<@From("members") List<Member>> records,
            @ForAll @IntRange(max = 8) int maxFields)
            throws Exception {
        DecodingPolicy defaults = DecodingPolicy.DEFAULT;
        Decoding decoding =
                new Decoding(new DecodingPolicy("", defaults.window(), Map.of(), Map.of(), maxFields, false));
        for (List<Member> members : records) {
            List<String> json = new ArrayList<>();
            for (Member member : members) {
                json.add("\"" + member.name() + "\":" + member.value(json.size()));
            }
            decoding.add("{" + String.join(",", json) + "}");
        }
        List<Map<String, Object>> rows = decoding.allMembers();
        for (int i = 0; i < records.size(); i++) {
            List<Member> members = records.get(i);
            List<String> kept = texts(rows.get(i));
            for (int place = 0; place < members.size(); place++) {
                String text = members.get(place).text(place);
                assertThat(kept).as("%s of %s", text, members).containsAnyOf(text, text + ".0");
            }
        }
    }

    private static List<String> texts(Map<String, Object> row) {
        List<String> texts = new ArrayList<>();
        row.forEach((name, value) -> {
            if (value instanceof Map<?, ?> attributes) {
                attributes.values().forEach(attribute -> texts.add((String) attribute));
            } else {
                texts.add(value.toString());
            }
        });
        return texts;
    }

    @Property(tries = 200)
    void damagedChunksAreNoticed(
            @ForAll @Size(max = 5) List<@From("objects") String> values,
            @ForAll @IntRange(min = 0, max = 10_000) int at,
            @ForAll @IntRange(min = 1, max = 255) int change)
            throws Exception {
        Decoding decoding = new Decoding();
        for (String value : values) {
            decoding.add(value);
        }
        byte[] chunk = decoding.buffers.getFirst().toChunk();
        byte[] damaged = chunk.clone();
        damaged[at % chunk.length] ^= (byte) change;
        assertThatThrownBy(() -> RowBuffer.fromChunk(damaged)).isInstanceOf(CorruptChunkException.class);
        byte[] cut = Arrays.copyOf(chunk, at % chunk.length);
        assertThatThrownBy(() -> RowBuffer.fromChunk(cut)).isInstanceOf(CorruptChunkException.class);
    }
}

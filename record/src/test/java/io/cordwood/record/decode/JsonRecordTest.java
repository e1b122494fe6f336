package io.cordwood.record.decode;

import static io.cordwood.logblock.schema.ColumnType.BIGINT;
import static io.cordwood.logblock.schema.ColumnType.BOOLEAN;
import static io.cordwood.logblock.schema.ColumnType.DOUBLE;
import static io.cordwood.logblock.schema.ColumnType.TIMESTAMP;
import static io.cordwood.logblock.schema.ColumnType.VARCHAR;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.policy.TextColumns;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the members of a JSON object, rule by rule of {@code docs/use/records.md}. */
class JsonRecordTest {
    private static Arguments row(String json, Object... namesAndValues) {
        Map<String, Object> members = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return Arguments.of(json, members);
    }

    private static Map<String, String> attributes(String... keysAndValues) {
        Map<String, String> attributes = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            attributes.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return attributes;
    }

    static Stream<Arguments> single() {
        return Stream.of(
                row("{}"),
                row(" {\t\r\n} \n"),
                row(
                        "{\"a\":\"x\",\"b\":1,\"c\":1.5,\"d\":true,\"e\":false,\"f\":null}",
                        "a",
                        "x",
                        "b",
                        1L,
                        "c",
                        1.5,
                        "d",
                        true,
                        "e",
                        false),
                row("{\"n\":-0,\"e\":1e3,\"z\":0.0}", "n", 0L, "e", 1000.0, "z", 0.0),
                row(
                        "{\"min\":-9223372036854775808,\"max\":9223372036854775807}",
                        "min",
                        Long.MIN_VALUE,
                        "max",
                        Long.MAX_VALUE),
                // beyond 64 bits: a double, with the exact digits kept
                row("{\"n\":9223372036854775808}", "n", 0x1p63, "attributes", attributes("n", "9223372036854775808")),
                row(
                        "{\"n\":-9223372036854775809}",
                        "n",
                        -0x1p63,
                        "attributes",
                        attributes("n", "-9223372036854775809")),
                row("{\"n\":1e400}", "attributes", attributes("n", "1e400")),
                row(
                        "{\"a\":NaN,\"b\":Infinity,\"c\":-Infinity}",
                        "attributes",
                        attributes("a", "NaN", "b", "Infinity", "c", "-Infinity")),
                // objects and arrays
                row("{\"a\":{\"b\":{\"c\":1},\"d\":\"x\"},\"e\":2}", "a.b.c", 1L, "a.d", "x", "e", 2L),
                row("{\"a\":[1, \"two\", {\"b\": [null]}]}", "a", "[1, \"two\", {\"b\": [null]}]"),
                row("{\"a\":[]}", "a", "[]"),
                row("{\"a\":{},\"b\":{\"c\":{}}}", "attributes", attributes("a", "{}", "b.c", "{}")),
                row("{\"a\":[\"x\ty\",NaN,-Infinity]}", "a", "[\"x\\u0009y\",\"NaN\",\"-Infinity\"]"),
                // names
                row("{\"Level\":\"x\",\"HTTP\":{\"Status\":200}}", "level", "x", "http.status", 200L),
                row("{\"\\u00c4\\\"b\":1}", "ä\"b", 1L),
                row("{\"a.b\":1,\"a\":{\"b\":2}}", "a.b", 1L, "attributes", attributes("a.b", "2")),
                row("{\"a\":1,\"A\":\"x\"}", "a", 1L, "attributes", attributes("A", "x")),
                row(
                        "{\"a\":1,\"a\":true,\"a\":[0],\"a\":3.50}",
                        "a",
                        1L,
                        "attributes",
                        attributes("a", "true", "a#2", "[0]", "a#3", "3.50")),
                row(
                        "{\"a\":1,\"a\":2,\"a\":3,\"x\":{\"a#2\":1},\"$a#2\":5}",
                        "a",
                        1L,
                        "x.a#2",
                        1L,
                        "attributes",
                        attributes("a", "2", "a#2", "3", "$a#2", "5")),
                row("{\"a\":null,\"a\":2}", "a", 2L),
                // reserved names
                row(
                        "{\"tenant_id\":\"t\",\"attributes\":1,\"attributes.x\":2,\"_id\":3,\"$path\":4,\"\":5,\"_a\":{\"b\":6}}",
                        "attributes",
                        attributes(
                                "tenant_id",
                                "t",
                                "attributes",
                                "1",
                                "attributes.x",
                                "2",
                                "_id",
                                "3",
                                "$path",
                                "4",
                                "",
                                "5",
                                "_a.b",
                                "6")),
                row("{\"Attributes\":{\"X\":true}}", "attributes", attributes("attributes.x", "true")),
                row("{\"a\":{\"_b\":1,\"tenant_id\":2,\"\":3}}", "a._b", 1L, "a.tenant_id", 2L, "a.", 3L),
                row("{\"a\\u0000b\":1}", "attributes", attributes("a\0b", "1")),
                row(
                        "{\"" + "n".repeat(512) + "\":1,\"" + "m".repeat(513) + "\":1}",
                        "n".repeat(512),
                        1L,
                        "attributes",
                        attributes("m".repeat(513), "1")),
                // strings
                row("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u20ac\\ud83d\\ude00\"}", "a", "\"\\/\b\f\n\r\t€😀"),
                row("{\"a\":\"\\u0000\",\"b\":\"x\0y\"}", "a", "\0", "b", "x\0y"),
                row("{\"a\":\"€😀 und ß, in einem längeren Text\"}", "a", "€😀 und ß, in einem längeren Text"),
                row(
                        "{\"a\":\"\\ud800\",\"b\":\"x\\udc00y\",\"c\":\"\\ud83d\\u0041\"}",
                        "a",
                        "\\ud800",
                        "b",
                        "x\\udc00y",
                        "c",
                        "\\ud83dA"),
                row("\uFEFF{\"a\":1}", "a", 1L),
                row("\n{\"a\":1}", "a", 1L),
                row("{\"a\":\"\"}", "a", ""));
    }

    @ParameterizedTest
    @MethodSource("single")
    void oneObject(String json, Map<String, Object> members) throws Exception {
        assertThat(new Decoding().add(json).members()).isEqualTo(members);
    }

    static Stream<Arguments> conflicts() {
        return Stream.of(
                // a varchar column takes any later scalar as its JSON text
                Arguments.of(VARCHAR, "1", "1", null),
                Arguments.of(VARCHAR, "1.50", "1.50", null),
                Arguments.of(VARCHAR, "true", "true", null),
                Arguments.of(VARCHAR, "[1, 2]", "[1, 2]", null),
                Arguments.of(VARCHAR, "123456789012345678901234567890", "123456789012345678901234567890", null),
                Arguments.of(VARCHAR, "NaN", "NaN", null),
                // a double column takes integers
                Arguments.of(DOUBLE, "1", 1.0, null),
                Arguments.of(DOUBLE, "9007199254740993", 0x1p53, "9007199254740993"),
                Arguments.of(
                        DOUBLE,
                        "123456789012345678901234567890",
                        1.2345678901234568e29,
                        "123456789012345678901234567890"),
                Arguments.of(DOUBLE, "9223372036854775807", 0x1p63, "9223372036854775807"),
                Arguments.of(DOUBLE, "\"x\"", null, "x"),
                Arguments.of(DOUBLE, "true", null, "true"),
                Arguments.of(DOUBLE, "NaN", null, "NaN"),
                Arguments.of(BIGINT, "\"x\"", null, "x"),
                Arguments.of(BIGINT, "\"1\"", null, "1"),
                Arguments.of(BIGINT, "false", null, "false"),
                Arguments.of(BIGINT, "[1]", null, "[1]"),
                Arguments.of(BOOLEAN, "1", null, "1"),
                Arguments.of(BOOLEAN, "\"true\"", null, "true"),
                Arguments.of(BOOLEAN, "1.0", null, "1.0"),
                Arguments.of(TIMESTAMP, "\"1970-01-01T00:00:01Z\"", 1_000_000L, null),
                Arguments.of(TIMESTAMP, "1.5", 1_500_000L, null),
                Arguments.of(TIMESTAMP, "2", 2_000_000L, null),
                Arguments.of(TIMESTAMP, "\"soon\"", null, "soon"));
    }

    @ParameterizedTest
    @MethodSource("conflicts")
    void valueMeetsColumn(ColumnType type, String json, Object column, String attribute) throws Exception {
        Decoding decoding = new Decoding().withColumn("a", type).add("{\"A\":" + json + "}");
        Map<String, Object> members = decoding.members();
        assertThat(members.get("a")).isEqualTo(column);
        assertThat(members.get("attributes")).isEqualTo(attribute == null ? null : Map.of("a", attribute));
        assertThat(decoding.assembled().degraded()).isEqualTo(attribute == null ? Map.of() : Map.of("a", 1L));
    }

    @Test
    void fractionsThatMeetBigintGoToTwin() throws Exception {
        Decoding decoding = new Decoding().add("{\"n\":1}").add("{\"n\":1.5}").add("{\"n\":18446744073709551616}");
        assertThat(decoding.allMembers())
                .containsExactly(
                        Map.of("n", 1L),
                        Map.of("n.double", 1.5),
                        Map.of("n.double", 0x1p64, "attributes", Map.of("n", "18446744073709551616")));
        assertThat(decoding.table.column("n.double").orElseThrow().type()).isEqualTo(DOUBLE);
    }

    @Test
    void memberWithTwinsNameGoesToAttributes() throws Exception {
        assertThat(new Decoding().add("{\"n\":1,\"n.double\":2.5}").members())
                .isEqualTo(Map.of("n", 1L, "attributes", Map.of("n.double", "2.5")));
    }

    @Test
    void namesThatFilesWouldWriteAlikeShareNoTable() throws Exception {
        assertThat(new Decoding()
                        .add("{\"a b\":1,\"a_x20b\":2,\"a_x2eb\":3,\"a.b\":4}")
                        .members())
                .isEqualTo(Map.of("a b", 1L, "a_x2eb", 3L, "attributes", Map.of("a_x20b", "2", "a.b", "4")));
    }

    @Test
    void integerBesideColumnWithTwinsNameIsDouble() throws Exception {
        assertThat(new Decoding().add("{\"n.double\":2.5,\"n\":1}").members())
                .isEqualTo(Map.of("n.double", 2.5, "n", 1.0));
    }

    @Test
    void firstValueThatIsNotNullDecides() throws Exception {
        Decoding decoding = new Decoding()
                .add("{\"a\":null,\"b\":NaN}")
                .add("{\"a\":\"x\",\"b\":true}")
                .nextBuffer()
                .add("{\"a\":7,\"b\":1}");
        assertThat(decoding.allMembers())
                .containsExactly(
                        Map.of("attributes", Map.of("b", "NaN")),
                        Map.of("a", "x", "b", true),
                        Map.of("a", "7", "attributes", Map.of("b", "1")));
    }

    @Test
    void fieldsPast200GoToAttributes() throws Exception {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < 250; i++) {
            json.append(i == 0 ? "" : ",").append("\"f").append(i).append("\":").append(i);
        }
        Map<String, Object> members = new Decoding().add(json + "}").members();
        assertThat(members).hasSize(201).containsEntry("f199", 199L).doesNotContainKey("f200");
        assertThat((Map<?, ?>) members.get("attributes")).hasSize(50);
        assertThat(members.get("attributes")).extracting("f249").isEqualTo("249");
    }

    @Test
    void columnsOfTableTakeMembersThatComeAfterManyOthers() throws Exception {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < 2000; i++) {
            json.append("\"f").append(i).append("\":\"v").append(i).append("\",");
        }
        Decoding decoding = new Decoding()
                .withColumn("late", BIGINT)
                .withColumn("flag", BOOLEAN)
                .add(json + "\"LATE\":5,\"flag\":true,\"late\":6,\"text\":\"x\",\"text\":\"y\"}");
        Map<String, Object> members = decoding.members();
        assertThat(members).containsEntry("late", 5L).containsEntry("flag", true);
        assertThat(members.get("attributes"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("late", "6")
                .containsEntry("text", "x")
                .containsEntry("text#2", "y")
                .containsEntry("f1999", "v1999");
    }

    @Test
    void textColumnsAreKnownByTheirLastSegment() throws Exception {
        Decoding decoding = new Decoding().add("{\"message\":\"a\",\"a\":{\"LOG\":\"b\"},\"level\":\"c\",\"msg\":1}");
        decoding.assembled();
        assertThat(decoding.table.column("message").orElseThrow().index()).isEqualTo(IndexKind.TEXT);
        assertThat(decoding.table.column("a.log").orElseThrow().index()).isEqualTo(IndexKind.TEXT);
        assertThat(decoding.table.column("level").orElseThrow().index()).isEqualTo(IndexKind.KEYWORD);
        assertThat(decoding.table.column("msg").orElseThrow().index()).isEqualTo(IndexKind.NONE);
    }

    @Test
    void textColumnsCanBeDeclared() throws Exception {
        Decoding decoding = new Decoding(
                        DecodingPolicy.DEFAULT.withTextColumns(Map.of("logs", TextColumns.withNames(Set.of("a.note")))))
                .add("{\"a\":{\"note\":\"x\"},\"note\":\"y\"}");
        decoding.assembled();
        assertThat(decoding.table.column("a.note").orElseThrow().index()).isEqualTo(IndexKind.TEXT);
        assertThat(decoding.table.column("note").orElseThrow().index()).isEqualTo(IndexKind.KEYWORD);
    }

    @Test
    void bytesThatAreNotUtf8StayVisible() throws Exception {
        byte[] json = "{\"a\":\"x\u00ffy\",\"b\":[\"\u0080\"],\"c\u00c0\":1}".getBytes(ISO_8859_1);
        assertThat(new Decoding().add(json, "").members())
                .isEqualTo(Map.of("a", "x\\xffy", "b", "[\"\\\\x80\"]", "c\\xc0", 1L));
    }

    @Test
    void longValuesAreKeptWhole() throws Exception {
        String text = "0123456789 ä".repeat(900_000);
        assertThat(new Decoding()
                        .add("{\"message\":\"" + text + "\",\"key\":\"" + text + "\"}")
                        .members())
                .isEqualTo(Map.of("message", text, "key", text));
    }

    @Test
    void deepObjectsAreFlattened() throws Exception {
        String json = "{\"a\":".repeat(500) + "1" + "}".repeat(500);
        String name = "a" + ".a".repeat(499);
        assertThat(new Decoding().add(json).members()).isEqualTo(Map.of("attributes", Map.of(name, "1")));
        String array = "[".repeat(500) + "]".repeat(500);
        assertThat(new Decoding().add("{\"a\":" + array + "}").members()).isEqualTo(Map.of("a", array));
    }

    @Test
    void tooDeepIsRefused() {
        assertReason("{\"a\":".repeat(100_000), Reason.TOO_DEEP);
        assertReason("{\"a\":" + "[".repeat(100_000), Reason.TOO_DEEP);
        assertReason("{\"a\":" + "[{\"b\":".repeat(100_000), Reason.TOO_DEEP);
    }

    @Test
    void namesThatWouldFillTheMemoryAreRefused() {
        String members = String.join(
                ",",
                IntStream.range(0, 100_000).mapToObj(i -> "\"m" + i + "\":0").toList());
        assertReason("{\"" + "n".repeat(100_000) + "\":{" + members + "}}", Reason.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "x",
                "1",
                "\"a\"",
                "null",
                "[]",
                "[{}]",
                "{",
                "}",
                "{]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1",
                "{\"a\":1,}",
                "{,\"a\":1}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":1}}",
                "{\"a\":1}{\"b\":2}",
                "{\"a\":1} x",
                "{a:1}",
                "{'a':1}",
                "{\"a\":01}",
                "{\"a\":1.}",
                "{\"a\":.5}",
                "{\"a\":+1}",
                "{\"a\":-}",
                "{\"a\":1e}",
                "{\"a\":1e+}",
                "{\"a\":0x1}",
                "{\"a\":tru}",
                "{\"a\":nul",
                "{\"a\":nan}",
                "{\"a\":-In}",
                "{\"a\":\"x}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\\u12",
                "{\"a\":\"\\",
                "{\"a\":[1,]}",
                "{\"a\":[1 2]}",
                "{\"a\":[1}",
                "{\"a\":[{]}]}",
                "{\"a\":[{\"b\"}]}",
                "{\"a\":[{\"b\":1,}]}",
                "{\"a\":[\"\\q\"]}",
                "{\"a\":{\"b\":1,}}",
                "{\"a\":{\"b\":1}",
                "{\"a\":1,//\n\"b\":2}"
            })
    void notOneJsonObject(String json) {
        assertReason(json, Reason.MALFORMED_JSON);
    }

    @Test
    void noValue() {
        assertReason("", Reason.EMPTY_VALUE);
    }

    @Test
    void refusedRecordLeavesNothingBehind() throws Exception {
        Decoding decoding = new Decoding().add("{\"a\":1,\"a\":2,\"b\":\"x\"}");
        for (String broken :
                List.of("{\"a\":1.5,\"a\":3,\"c\":true,", "{\"a\":7,\"b\":\"z\",\"b\":2,\"d\":[", "{\"b\":1")) {
            assertThatThrownBy(() -> decoding.add(broken)).isInstanceOf(UndecodableRecordException.class);
        }
        decoding.add("{\"b\":\"y\",\"a\":3}");
        assertThat(decoding.allMembers())
                .containsExactly(Map.of("a", 1L, "b", "x", "attributes", Map.of("a", "2")), Map.of("a", 3L, "b", "y"));
        assertThat(decoding.table.columns()).hasSize(Tables.BASE.columns().size() + 2);
    }

    @Test
    void messageSaysWhere() {
        assertThatThrownBy(() -> new Decoding().add("{\"a\":1 \"b\":2}"))
                .hasMessage("Expected ',' or '}', found '\"' at byte 7");
        assertThatThrownBy(() -> new Decoding().add("{\"a\":"))
                .hasMessage("Expected a value, but the value ends at byte 5");
    }

    private static void assertReason(String json, Reason reason) {
        assertThatThrownBy(() -> new Decoding().add(json.getBytes(UTF_8), ""))
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }
}

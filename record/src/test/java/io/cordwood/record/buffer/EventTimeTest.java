package io.cordwood.record.buffer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.decode.Decoding;
import io.cordwood.record.policy.AcceptanceWindow;
import io.cordwood.record.policy.AcceptanceWindow.Action;
import io.cordwood.record.policy.DecodingPolicy;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTimeTest {
    private static long parse(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return EventTime.ofText(bytes, 0, bytes.length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-11-20T09:30:00Z | 2026-11-20T09:30:00Z",
                "2026-11-20t09:30:00z | 2026-11-20T09:30:00Z",
                "2026-11-20 09:30:00Z | 2026-11-20T09:30:00Z",
                "2026-11-20 09:30:00 | 2026-11-20T09:30:00Z",
                "2026-11-20T09:30:00.1 | 2026-11-20T09:30:00.1Z",
                "2026-11-20T09:30:00,123456Z | 2026-11-20T09:30:00.123456Z",
                "2026-11-20T09:30:00.123456999Z | 2026-11-20T09:30:00.123456Z",
                "2026-11-20T09:30:00.1234569999999999999999+01:30 | 2026-11-20T08:00:00.123456Z",
                "2026-11-20T09:30:00-23:59 | 2026-11-21T09:29:00Z",
                "2026-11-20T09:30:00-00:00 | 2026-11-20T09:30:00Z",
                "2024-02-29T00:00:00Z | 2024-02-29T00:00:00Z",
                "2000-02-29T00:00:00Z | 2000-02-29T00:00:00Z",
                "2016-12-31T23:59:60Z | 2017-01-01T00:00:00Z",
                "1969-12-31T23:59:59.9999999Z | 1969-12-31T23:59:59.999999Z",
                "0001-01-01T00:00:00Z | 0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999Z | 9999-12-31T23:59:59.999999Z"
            })
    void text(String text, Instant expected) {
        assertThat(parse(text)).isEqualTo(micros(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-11-20",
                "2026-11-20T09:30",
                "2026-11-20T09:30Z",
                "2026-11-20T09:30:00.",
                "2026-11-20T09:30:00.Z",
                "2026-11-20T09:30:00+0100",
                "2026-11-20T09:30:00+01",
                "2026-11-20T09:30:00+24:00",
                "2026-11-20T09:30:00+01:60",
                "2026-11-20T09:30:00 Z",
                "2026-11-20T09:30:00Zx",
                " 2026-11-20T09:30:00Z",
                "2026-11-20T09:30:00Z ",
                "2026-11-20_09:30:00Z",
                "2026-13-20T09:30:00Z",
                "2026-00-20T09:30:00Z",
                "2026-11-31T09:30:00Z",
                "2026-11-00T09:30:00Z",
                "2026-02-29T09:30:00Z",
                "1900-02-29T09:30:00Z",
                "2026-11-20T24:00:00Z",
                "2026-11-20T09:60:00Z",
                "2026-11-20T09:30:61Z",
                "2O26-11-20T09:30:00Z",
                "+026-11-20T09:30:00Z",
                "0000-01-01T00:00:00Z",
                "0001-01-01T00:00:00+01:00",
                "9999-12-31T23:59:59-01:00",
                "1700000000",
                "20 Nov 2026 09:30:00"
            })
    void otherTextIsNoTime(String text) {
        assertThat(parse(text)).isEqualTo(EventTime.NONE);
    }

    @Property
    void everyTimeOfTheYears1To9999(
            @ForAll @LongRange(min = -62_135_596_800L, max = 253_402_300_799L) long second,
            @ForAll @IntRange(max = 999_999_999) int nano,
            @ForAll @IntRange(min = -18 * 60, max = 18 * 60) int offsetMinutes) {
        Instant instant = Instant.ofEpochSecond(second, nano);
        OffsetDateTime time = instant.atOffset(ZoneOffset.ofTotalSeconds(offsetMinutes * 60));
        if (time.getYear() < 1 || time.getYear() > 9999) {
            return;
        }
        String text = time.format(DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnnxxx"));
        assertThat(parse(text)).isEqualTo(micros(instant));
    }

    private static long micros(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-1, -1000000",
        "1795168800, 1795168800000000",
        "99999999999, 99999999999000000",
        "100000000000, 100000000000000",
        "-62135596800000, -62135596800000000",
        "99999999999999, 99999999999999000",
        "100000000000000, 100000000000000",
        "99999999999999999, 99999999999999999",
        "100000000000000000, 100000000000000",
        "1795168800123456789, 1795168800123456",
        "-1795168800123456789, -1795168800123456",
        "9223372036854775807, 9223372036854775",
        "99999999999999999999, 99999999999999999",
        "1795168800.123456789, 1795168800123456",
        "-1.9999999, -1999999",
        "0.0000001, 0",
        "1795168800123.4567, 1795168800123456",
        "1795168800123456.7, 1795168800123456",
        "1.7951688e9, 1795168800000000",
        "17951688e2, 1795168800000000",
        "1e-30, 0"
    })
    void numbersGoByTheirMagnitude(String number, long expected) throws Exception {
        assertThat(new Decoding(ANY_TIME).add("{\"ts\":" + number + "}").rows().getFirst())
                .containsEntry("ts", expected)
                .doesNotContainKey("attributes");
    }

    private static final DecodingPolicy ANY_TIME = DecodingPolicy.DEFAULT.withWindow(
            new AcceptanceWindow(AcceptanceWindow.UNLIMITED, AcceptanceWindow.UNLIMITED, Action.ACCEPT));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-9223372036854775808",
                "1e25",
                "1e999999999",
                "1e2147483647",
                "1e99999999999",
                "-1e-99999999999",
                "-1e30",
                "-99999999999999999",
                "NaN",
                "true",
                "[1]"
            })
    void otherNumbersAreNoTime(String number) throws Exception {
        assertThat(new Decoding(ANY_TIME).add("{\"ts\":" + number + "}").rows().getFirst())
                .containsEntry("ts", Decoding.APPENDED)
                .containsEntry("attributes", Map.of("ts", number));
    }

    @Test
    void tinyExponentIsTheEpoch() {
        byte[] text = "1e-999999999".getBytes(UTF_8);
        assertThat(EventTime.ofNumber(text, 0, text.length)).isZero();
    }

    private static final String A = "\"2026-11-20T08:00:00Z\"";
    private static final String B = "\"2026-11-20T07:00:00Z\"";
    private static final long TIME_A = micros(Instant.parse("2026-11-20T08:00:00Z"));

    @Test
    void firstMemberThatParsesIsUsedAndOnlyItIsNoColumn() throws Exception {
        for (String name : List.of("ts", "@timestamp", "timestamp", "time", "TIME", "@Timestamp", "t\\u0073")) {
            assertRow("{\"" + name + "\":" + A + "}", TIME_A, Map.of());
        }
        assertRow("{\"time\":" + B + ",\"ts\":" + A + "}", TIME_A, Map.of("time", "2026-11-20T07:00:00Z"));
        assertRow(
                "{\"time\":" + B + ",\"timestamp\":5,\"@timestamp\":" + A + ",\"ts\":\"x\"}",
                TIME_A,
                Map.of("time", "2026-11-20T07:00:00Z", "timestamp", 5L, "attributes", Map.of("ts", "x")));
        assertRow("{\"@timestamp\":\"soon\",\"time\":" + A + "}", TIME_A, Map.of("@timestamp", "soon"));
        assertRow("{\"ts\":null,\"time\":" + A + "}", TIME_A, Map.of());
        assertRow("{\"ts\":{\"x\":1},\"time\":" + A + "}", TIME_A, Map.of("ts.x", 1L));
        assertRow("{\"time\":\"2026-11-20T08:00:00\\u005a\"}", TIME_A, Map.of());
    }

    @Test
    void noMemberParses() throws Exception {
        assertRow("{}", Decoding.APPENDED, Map.of());
        assertRow("{\"time\":\"12:00\"}", Decoding.APPENDED, Map.of("time", "12:00"));
        assertRow("{\"a\":{\"ts\":" + A + "}}", Decoding.APPENDED, Map.of("a.ts", "2026-11-20T08:00:00Z"));
        assertRow("{\"ts\":\"1795168800\"}", Decoding.APPENDED, Map.of("attributes", Map.of("ts", "1795168800")));
    }

    @Test
    void laterMembersOfTheSameNameGoToAttributes() throws Exception {
        assertRow("{\"ts\":" + A + ",\"TS\":1}", TIME_A, Map.of("attributes", Map.of("TS", "1")));
        assertRow(
                "{\"time\":\"x\",\"time\":" + A + "}",
                Decoding.APPENDED,
                Map.of("time", "x", "attributes", Map.of("time", "2026-11-20T08:00:00Z")));
    }

    private static void assertRow(String json, long ts, Map<String, Object> members) throws Exception {
        Decoding decoding = new Decoding().add(json);
        assertThat(decoding.members()).as(json).isEqualTo(members);
        assertThat(decoding.rows().getFirst()).as(json).containsEntry("ts", ts);
    }

    @Test
    void rowOutsideTheWindowIsRestampedAndKeepsItsTime() throws Exception {
        long hour = 3_600_000_000L;
        long limit = Decoding.APPENDED + hour;
        assertRow("{\"ts\":" + limit + "}", limit, Map.of());
        assertRow(
                "{\"ts\":" + (limit + 1) + "}",
                Decoding.APPENDED,
                Map.of("attributes", Map.of("ts_original", Long.toString(limit + 1))));
        assertRow(
                "{\"time\":\"2030-01-01T00:00:00\\u002e123456789+02:00\",\"ts_original\":\"mine\"}",
                Decoding.APPENDED,
                Map.of(
                        "ts_original",
                        "mine",
                        "attributes",
                        Map.of("ts_original", "2030-01-01T00:00:00.123456789+02:00")));
        assertRow("{\"ts\":-1}", -1_000_000, Map.of());
    }

    @Test
    void timeOfRestampedRowHasThePlainKey() throws Exception {
        Decoding decoding = new Decoding()
                .withColumn("ts_original", ColumnType.BOOLEAN)
                .add("{\"ts_original\":\"mine\",\"ts\":4000000000}");
        assertThat(decoding.members())
                .isEqualTo(Map.of("attributes", Map.of("ts_original", "4000000000", "ts_original#2", "mine")));
    }

    @Test
    void windowAndActionOfTheTenant() throws Exception {
        AcceptanceWindow accept = new AcceptanceWindow(10, 10, Action.ACCEPT);
        AcceptanceWindow refuse = new AcceptanceWindow(10, 10, Action.DEAD_LETTER);
        String late = "{\"ts\":" + (Decoding.APPENDED - 11) + "}";
        DecodingPolicy accepting =
                DecodingPolicy.DEFAULT.withWindow(refuse).withTenantWindows(Map.of(Decoding.TENANT, accept));
        assertThat(new Decoding(accepting).add(late).rows().getFirst()).containsEntry("ts", Decoding.APPENDED - 11);
        DecodingPolicy refusing = DecodingPolicy.DEFAULT.withWindow(refuse);
        assertThatThrownBy(() -> new Decoding(refusing).add(late))
                .isInstanceOfSatisfying(
                        UndecodableRecordException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.OUTSIDE_ACCEPTANCE_WINDOW));
        assertThat(new Decoding(refusing)
                        .add("{\"ts\":" + (Decoding.APPENDED - 10) + "}")
                        .rows())
                .hasSize(1);
    }
}

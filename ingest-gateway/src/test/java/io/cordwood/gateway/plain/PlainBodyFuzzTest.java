package io.cordwood.gateway.plain;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.cordwood.gateway.ShippedRows;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.refusal.RefusedException.Reason;
import io.cordwood.gateway.row.RejectedRows;
import io.cordwood.gateway.send.LineBatches;
import io.cordwood.gateway.send.Memory;
import io.cordwood.gateway.send.Payload;
import io.cordwood.record.UndecodableRecordException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes to the plain door: each row that is counted can be read, and a good line stays as it is. */
class PlainBodyFuzzTest {
    private static final String LINES = "application/x-ndjson";
    private static final String GOOD = "{ \"good\":1.50 }";
    /** Of an octet: {@code \}{@code u00xx}. */
    private static final int MAX_ESCAPE = 6;
    /** What is around a line of text. */
    private static final int ROW_BYTES = "{\"message\":\"\"}\n".length();

    private record Result(List<Payload> payloads, long rejected) {}

    private static Result read(byte[] body, String mediaType) throws UndecodableRecordException {
        LineBatches rows = new LineBatches(Memory.countedElsewhere());
        RejectedRows rejected = new RejectedRows();
        new PlainBody(body, rows, rejected).read(mediaType);
        Result result = new Result(rows.finish(), rejected.count());
        ShippedRows.requireReadable(result.payloads());
        assertThat(ShippedRows.bytes(result.payloads()))
                .isLessThanOrEqualTo((long) MAX_ESCAPE * body.length + ROW_BYTES * rows(result));
        return result;
    }

    private static long rows(Result result) {
        return result.payloads().stream().mapToLong(Payload::rows).sum();
    }

    /** Lines that are neither empty nor blank. */
    private static long lines(String text) {
        return Stream.of(text.split("\n", -1))
                .filter(line -> line.chars().anyMatch(c -> c != ' ' && c != '\t' && c != '\r'))
                .count();
    }

    static Stream<byte[]> bodies() {
        return Stream.of(
                        "{\"n\":1}\n\n{\"n\":2}\r\n{\"n\":3}",
                        "[{\"a\":\n 1},\n{\"a\":2},3,[4]]",
                        "{\n  \"a\": 3\n}",
                        "{\"a\":4}\nsaid \"no\"\tand \\ left\n",
                        "{\"n\":1}\n{\"n\":\n[2]\n{\"n\":3} x\n{\"n\":4}\n",
                        "\uFEFF{\"a\":{\"b\":[1,-2.5e3,null,true]},\"A\":1e400,\"ts\":\"2026-11-20T08:00:00.5+01:00\"}\n")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("bodies")
    @FuzzTest
    void lines(byte[] garbage) throws Exception {
        byte[] body = ShippedRows.join((GOOD + "\n").getBytes(UTF_8), garbage, ("\n" + GOOD).getBytes(UTF_8));
        Result result = read(body, LINES);
        assertThat(ShippedRows.lines(result.payloads())).startsWith(GOOD).endsWith(GOOD);
        assertThat(rows(result) + result.rejected()).isEqualTo(lines(new String(body, ISO_8859_1)));
        read(garbage, LINES);
    }

    @MethodSource("bodies")
    @FuzzTest
    void text(byte[] garbage) throws Exception {
        byte[] body = ShippedRows.join("good\n".getBytes(UTF_8), garbage, "\ngood".getBytes(UTF_8));
        Result result = read(body, "text/plain");
        assertThat(result.rejected()).isZero();
        assertThat(rows(result)).isEqualTo(lines(new String(body, ISO_8859_1)));
        assertThat(ShippedRows.lines(result.payloads()))
                .startsWith("{\"message\":\"good\"}")
                .endsWith("{\"message\":\"good\"}");
        read(garbage, "text/plain");
    }

    @MethodSource("bodies")
    @FuzzTest
    void json(byte[] garbage) throws Exception {
        readOrRefuse(garbage, "application/json");
        byte[] array =
                ShippedRows.join(("[" + GOOD + ",").getBytes(UTF_8), garbage, ("," + GOOD + "]").getBytes(UTF_8));
        try {
            Result result = read(array, "application/json");
            assertThat(ShippedRows.lines(result.payloads())).startsWith(GOOD).endsWith(GOOD);
            assertThat(rows(result) + result.rejected()).isGreaterThanOrEqualTo(3);
        } catch (RefusedException e) {
            assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
        }
    }

    @MethodSource("bodies")
    @FuzzTest
    void asItLooks(byte[] garbage) throws Exception {
        readOrRefuse(garbage, "");
    }

    private static void readOrRefuse(byte[] body, String mediaType) throws UndecodableRecordException {
        try {
            read(body, mediaType);
        } catch (RefusedException e) {
            assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
            assertThat(e).hasMessageContaining("The array is malformed: ");
        }
    }
}

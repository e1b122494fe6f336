package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.DecodingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Batches: JSON objects, one a line. */
class JsonLinesTest {
    private static final String LINES = "application/x-ndjson";

    private record BadLine(int line, String text, Reason reason) {}

    /** The bad lines of a batch, which is decoded after {@code rowsBefore} rows of another record. */
    private static List<BadLine> badLines(String batch, RowBuffer target) throws UndecodableRecordException {
        byte[] value = batch.getBytes(UTF_8);
        List<BadLine> bad = new ArrayList<>();
        new RecordDecoder(DecodingPolicy.DEFAULT)
                .decode(
                        Decoding.TENANT,
                        new KafkaRecord(7, Decoding.APPENDED, new byte[0], value, new byte[0], LINES.getBytes(UTF_8)),
                        target,
                        Optional.empty(),
                        (line, from, to, why) ->
                                bad.add(new BadLine(line, new String(value, from, to - from, UTF_8), why.reason())));
        return bad;
    }

    private static List<Object> ordinals(Decoding decoding) {
        return decoding.rows().stream()
                .map(row -> row.get(LogBlockSchema.KAFKA_ORDINAL))
                .toList();
    }

    private static Decoding decoded(String batch) throws UndecodableRecordException {
        return new Decoding().add(batch.getBytes(UTF_8), LINES);
    }

    @Test
    void eachLineIsARowWithTheNumberOfItsLine() throws Exception {
        Decoding rows = decoded("{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
        assertThat(rows.allMembers()).containsExactly(Map.of("n", 1L), Map.of("n", 2L), Map.of("n", 3L));
        assertThat(ordinals(rows)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void blankLinesAndCarriageReturnsAndAByteOrderMarkAreSkipped() throws Exception {
        Decoding rows = decoded("\uFEFF{\"n\":1}\r\n\r\n \t\n{\"n\":2}");
        assertThat(rows.allMembers()).containsExactly(Map.of("n", 1L), Map.of("n", 2L));
        assertThat(ordinals(rows)).containsExactly(0L, 3L);
    }

    @Test
    void theMediaTypeMayHaveParameters() throws Exception {
        byte[] batch = "{\"n\":1}\n{\"n\":2}".getBytes(UTF_8);
        assertThat(new Decoding()
                        .add(batch, "Application/X-NDJSON; charset=utf-8")
                        .allMembers())
                .hasSize(2);
    }

    @Test
    void aBadLineCostsOnlyItself() throws Exception {
        String batch = "{\"n\":1}\n{\"n\":2,\"m\":\n[3]\n{\"n\":4} x\n{\"n\":5}\nnull\n{\"n\":6}";
        Decoding rows = decoded(batch);
        assertThat(rows.allMembers()).containsExactly(Map.of("n", 1L), Map.of("n", 5L), Map.of("n", 6L));
        assertThat(ordinals(rows)).containsExactly(0L, 4L, 6L);
        assertThat(badLines(batch, new RowBuffer()))
                .containsExactly(
                        new BadLine(1, "{\"n\":2,\"m\":", Reason.MALFORMED_JSON),
                        new BadLine(2, "[3]", Reason.MALFORMED_JSON),
                        new BadLine(3, "{\"n\":4} x", Reason.MALFORMED_JSON),
                        new BadLine(5, "null", Reason.MALFORMED_JSON));
    }

    @Test
    void aBatchOfBadLinesHasNoRow() throws Exception {
        RowBuffer target = new RowBuffer();
        assertThat(badLines("x\ny\n", target)).hasSize(2);
        assertThat(target.rowCount()).isZero();
    }

    @Test
    void aBatchOfBlankLinesIsADeadLetter() {
        for (String batch : List.of("\n", " \r\n\t\n", "")) {
            assertThatThrownBy(() -> badLines(batch, new RowBuffer()))
                    .isInstanceOfSatisfying(
                            UndecodableRecordException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(Reason.EMPTY_VALUE));
        }
    }

    /** Other formats may begin alike. */
    @Test
    void linesAreRowsOnlyIfTheHeaderSaysSo() {
        assertThatThrownBy(() -> new Decoding().add("{\"n\":1}\n{\"n\":2}"))
                .isInstanceOf(UndecodableRecordException.class);
    }

    @Provide
    Arbitrary<List<String>> lines() {
        return Arbitraries.oneOf(
                        List.of(Records.objects(), Arbitraries.of("{", "x", "[]", "{\"a\":1}}", "{\"a\":\"", "\"a\"")))
                .list()
                .ofMinSize(1)
                .ofMaxSize(20);
    }

    /** A batch gives the rows that its lines give as records of their own, one after the other. */
    @Property
    void aBatchGivesTheRowsOfItsLines(@ForAll("lines") List<String> lines) throws Exception {
        Decoding single = new Decoding();
        List<Object> good = new ArrayList<>();
        List<BadLine> bad = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            try {
                single.add(lines.get(i));
                good.add((long) i);
            } catch (UndecodableRecordException e) {
                bad.add(new BadLine(i, lines.get(i), e.reason()));
            }
        }
        String batch = String.join("\n", lines);
        Decoding rows = decoded(batch);
        assertThat(rows.allMembers()).isEqualTo(single.allMembers());
        assertThat(ordinals(rows)).containsExactlyInAnyOrderElementsOf(good);
        assertThat(badLines(batch, new RowBuffer())).isEqualTo(bad);
    }
}

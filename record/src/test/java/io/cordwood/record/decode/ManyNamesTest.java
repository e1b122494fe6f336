package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.AssembledRows;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.DecodingPolicy;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of very many member names, which must not take much more memory than their bytes. */
class ManyNamesTest {
    private static final int NAMES = 300_000;
    /** Allocated while it is decoded, packed and assembled twice; 2,700 were it not for the bounds. */
    private static final long BYTES_FOR_A_NAME = 2000;

    private final RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
    private final RowBuffer buffer = new RowBuffer();

    @Test
    void ofOneRecord() throws Exception {
        assertThat(cost(() -> {
                    decoder.decode("acme", record(0, 0, NAMES), buffer);
                    assertAllInAttributes(1);
                }))
                .isLessThan(NAMES * BYTES_FOR_A_NAME);
    }

    @Test
    void ofManyRecords() throws Exception {
        assertThat(cost(() -> {
                    for (int i = 0; i < 300; i++) {
                        decoder.decode("acme", record(i, i * (NAMES / 300), NAMES / 300), buffer);
                    }
                    assertAllInAttributes(300);
                }))
                .isLessThan(NAMES * BYTES_FOR_A_NAME);
    }

    @Test
    void keepsFewOfThem() {
        MemberNames names = new MemberNames();
        MemberName root = names.root();
        for (int i = 0; i < NAMES; i++) {
            byte[] name = "m%d".formatted(i).getBytes(UTF_8);
            assertThat(names.child(root, name, 0, name.length, false).column()).isEqualTo("m" + i);
        }
        assertThat(names.sizeInBytes()).isLessThan(9 << 20);
        assertThat(names.root()).isNotSameAs(root);
    }

    @Test
    void afterARecordOfManyNamesThatIsMalformed() throws Exception {
        decoder.decode("acme", record(0, 0, 1), buffer);
        KafkaRecord good = record(1, 0, 20_000);
        byte[] cut =
                new String(good.value(), UTF_8).replace("\"m19999\"", "oops").getBytes(UTF_8);
        try {
            decoder.decode("acme", new KafkaRecord(1, 0, "acme".getBytes(UTF_8), cut), buffer);
            throw new AssertionError("decoded");
        } catch (UndecodableRecordException e) {
            assertThat(e.reason()).isEqualTo(UndecodableRecordException.Reason.MALFORMED_JSON);
        }
        decoder.decode("acme", record(2, 5, 1), buffer);
        assertThat(buffer.rowCount()).isEqualTo(2);
        assertThat(entries(RowBuffer.fromChunk(buffer.toChunk()))).isEqualTo(2);
        assertThat(entries(buffer)).isEqualTo(2);
    }

    /** In a table that cannot take another column. */
    private void assertAllInAttributes(int rows) {
        assertThat(buffer.rowCount()).isEqualTo(rows);
        assertThat(entries(buffer)).isEqualTo(NAMES);
        assertThat(entries(RowBuffer.fromChunk(buffer.toChunk()))).isEqualTo(NAMES);
    }

    private static int entries(RowBuffer rows) {
        AssembledRows assembled = new RowAssembler(DecodingPolicy.DEFAULT, "logs")
                .assemble(Tables.BASE, "acme", "topic-id", 0, List.of(rows));
        assertThat(assembled.degraded()).hasSizeLessThanOrEqualTo(AssembledRows.MAX_COUNTED + 1);
        int attributes = Tables.BASE
                .columns()
                .indexOf(Tables.BASE.column(LogBlockSchema.ATTRIBUTES).orElseThrow());
        MapVector map = (MapVector) assembled.days().getFirst().columns().get(attributes);
        assertThat(assembled.degraded().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(map.entryOffsets()[map.length()]);
        return map.entryOffsets()[map.length()];
    }

    private static KafkaRecord record(long offset, int first, int names) {
        StringBuilder json = new StringBuilder("{");
        for (int i = first; i < first + names; i++) {
            json.append(i == first ? "" : ",")
                    .append("\"m")
                    .append(i)
                    .append("\":")
                    .append(i);
        }
        return new KafkaRecord(
                offset, 0, "acme".getBytes(UTF_8), json.append('}').toString().getBytes(UTF_8));
    }

    /** What may fail. */
    private interface Step {
        void run() throws Exception;
    }

    private static long cost(Step step) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        step.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}

package io.cordwood.benchmarks.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.benchmarks.data.RequestLogGenerator;
import io.cordwood.benchmarks.table.TenantLogBlocks;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RowSumTest {
    private static final int ROWS = 500;

    @TempDir
    private Path directory;

    private final List<String> lines = new ArrayList<>();

    @Test
    void isTheSameForTheSameRowsInOtherLogBlocks() throws Exception {
        RequestLogGenerator.lines(ROWS, 1, 24).forEach(lines::add);
        RowSum whole = RowSum.of(table("whole", 0, ROWS));
        RowSum parts = RowSum.of(TenantTable.of(List.of(table("second", 300, ROWS), table("first", 0, 300))));

        assertThat(whole.rows()).isEqualTo(ROWS);
        assertThat(whole.offsets()).isEqualTo(ROWS * (ROWS - 1L) / 2);
        assertThat(parts).isEqualTo(whole);
    }

    @Test
    void isAnotherIfOneValueOfOneRowIsAnother() throws Exception {
        RequestLogGenerator.lines(ROWS, 1, 24).forEach(lines::add);
        RowSum whole = RowSum.of(table("whole", 0, ROWS));
        lines.set(17, lines.get(17).replaceFirst("\"latency\":(\\d)", "\"latency\":1$1"));
        RowSum changed = RowSum.of(table("changed", 0, ROWS));

        assertThat(changed.rows()).isEqualTo(whole.rows());
        assertThat(changed.hash()).isNotEqualTo(whole.hash());
    }

    private TenantTable table(String name, int from, int to) throws Exception {
        RecordDecoder decoder = new RecordDecoder(DecodingPolicy.DEFAULT);
        RowBuffer rows = new RowBuffer();
        for (int i = from; i < to; i++) {
            decoder.decode(
                    "1",
                    new KafkaRecord(
                            i,
                            1_795_132_800_000_000L,
                            "1".getBytes(UTF_8),
                            lines.get(i).getBytes(UTF_8)),
                    rows);
        }
        return TenantLogBlocks.write(directory.resolve(name), "1", List.of(rows), LogBlockOptions.DEFAULTS)
                .tables()
                .get("1");
    }
}

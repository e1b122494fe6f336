package io.cordwood.hot;

import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.logblock.write.LogBlockWriter;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.policy.DecodingPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Builds in-memory LogBlocks from decoded rows. Thread-safe. */
final class HotLogBlockBuilder {
    /**
     * The blocks are written once and read a few times from memory: fastest compression, and scans instead of an index.
     */
    private static final LogBlockOptions OPTIONS =
            new LogBlockOptions(1, 128 << 10, 64 << 10, 8192, 1 << 20, Integer.MAX_VALUE);

    private final String stream;
    private final String topicId;
    private final RowAssembler assembler;

    HotLogBlockBuilder(DecodingPolicy policy, String stream, String topicId) {
        this.stream = stream;
        this.topicId = topicId;
        this.assembler = new RowAssembler(policy, stream);
    }

    /** Builds one LogBlock for each day of the rows, all of them from this span. */
    List<HotLogBlock> build(HotTable table, OffsetSpan span, RowBuffer rows) {
        String name = "%s-%d[%d,%d)".formatted(stream, span.partition(), span.from(), span.to());
        List<HotLogBlock> logBlocks = new ArrayList<>();
        List<DayRows> days = assembler
                .assemble(table.schema(), table.tenantId(), topicId, span.partition(), List.of(rows))
                .days();
        for (DayRows day : days) {
            logBlocks.add(build(table, name, day));
        }
        return logBlocks;
    }

    private static HotLogBlock build(HotTable table, String name, DayRows rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LogBlockWriter writer = new LogBlockWriter(out, table.schema(), OPTIONS).inNoTable()) {
            writer.append(rows.columns(), rows.rows());
            LogBlockSummary summary = writer.finish();
            LogBlock logBlock = LogBlock.open(new InMemoryObject(name, out.toByteArray()), new ReadMetrics());
            return new HotLogBlock(
                    table.tenantId(), name, logBlock, summary.sizeInBytes(), summary.rowCount(), summary.time());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot build a LogBlock of %s in memory".formatted(name), e);
        }
    }
}

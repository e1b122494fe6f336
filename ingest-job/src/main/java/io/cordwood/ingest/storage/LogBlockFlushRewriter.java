package io.cordwood.ingest.storage;

import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.FlushRewriter;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.OffsetRange;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.ColumnCursor;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnMetrics;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rewrites LogBlocks without the rows below an offset. Keeps a LogBlock without such rows as it is. Thread-safe. */
public final class LogBlockFlushRewriter implements FlushRewriter {
    private static final int BATCH_ROWS = 1 << 16;

    private final TableStorage storage;
    private final LogBlockOptions options;

    /**
     * Reads and writes objects of this storage.
     *
     * @param options settings for writing LogBlocks
     */
    public LogBlockFlushRewriter(TableStorage storage, LogBlockOptions options) {
        this.storage = storage;
        this.options = options;
    }

    @Override
    public List<LogBlockFile> rewrite(String tenantId, String stream, Flush flush, long firstOffset)
            throws IOException {
        LoadedTable table = table(tenantId, stream, new OffsetRange(flush.partitionId(), firstOffset, flush.to()));
        Column offset = table.schema().column(LogBlockSchema.KAFKA_OFFSET).orElseThrow();
        List<LogBlockFile> rewritten = new ArrayList<>();
        for (LogBlockFile file : flush.files()) {
            Optional<Object> lower = Optional.ofNullable(
                            file.summary().columns().get(offset.fieldId()))
                    .flatMap(ColumnMetrics::lower);
            if (lower.isPresent() && (long) lower.get() >= firstOffset) {
                rewritten.add(file);
            } else {
                rewrite(table, flush, file, offset, firstOffset).ifPresent(rewritten::add);
            }
        }
        return rewritten;
    }

    private LoadedTable table(String tenantId, String stream, OffsetRange rows) throws IOException {
        try {
            return storage.ensureTable(stream, new TableRequest(tenantId, List.of(), List.of(), rows))
                    .table()
                    .orElseThrow(() -> new IOException("Tenant '%s' was deleted meanwhile".formatted(tenantId)));
        } catch (CatalogException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Optional<LogBlockFile> rewrite(
            LoadedTable table, Flush flush, LogBlockFile file, Column offset, long firstOffset) throws IOException {
        ReadMetrics metrics = new ReadMetrics();
        try (LogBlock block = LogBlock.open(storage.open(file.location()), metrics)) {
            Predicate kept = new Predicate.In(
                    offset, List.of(new Predicate.ValueRange(Optional.of(firstOffset), true, Optional.empty(), false)));
            int[] rows = block.select(TimeRange.ALL, kept, ReadOptions.DEFAULTS, metrics)
                    .toArray();
            if (rows.length == 0) {
                return Optional.empty();
            }
            String location = LogBlockNames.newLocation(
                    table.location(), file.epochDay(), flush.partitionId(), firstOffset, flush.to());
            List<ColumnCursor> cursors = new ArrayList<>();
            for (Column column : table.schema().columns()) {
                cursors.add(block.cursor(column, metrics));
            }
            try (OutputStream out = storage.create(location);
                    LogBlockWriter writer = new LogBlockWriter(out, table.schema(), options)) {
                for (int from = 0; from < rows.length; from += BATCH_ROWS) {
                    int count = Math.min(BATCH_ROWS, rows.length - from);
                    List<Vector> columns = new ArrayList<>();
                    for (ColumnCursor cursor : cursors) {
                        columns.add(cursor.read(rows, from, count));
                    }
                    writer.append(columns, count);
                }
                return Optional.of(new LogBlockFile(location, file.epochDay(), writer.finish()));
            }
        }
    }
}

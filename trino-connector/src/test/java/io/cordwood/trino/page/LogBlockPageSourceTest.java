package io.cordwood.trino.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.write.LogBlockWriter;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.cache.BlockCache;
import io.cordwood.query.io.S3Reads;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.scan.DeletedRowsCache;
import io.cordwood.query.scan.LogBlockCache;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.ReadSettings;
import io.cordwood.query.scan.ScanRequest;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.CordwoodQueryRunner;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.trino.spi.connector.SourcePage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogBlockPageSourceTest {
    private static final int ROWS = 60;
    private static final int VALUE_BYTES = 1 << 20;
    private static final int BATCH_BYTES = 16 << 20;
    private static final Column TS =
            Column.of(LogBlockSchema.TS, 1, ColumnType.TIMESTAMP).asRequired();
    private static final Column MESSAGE = Column.text("message", 2);

    private static final CordwoodColumnHandle MESSAGE_HANDLE =
            new TableColumnHandle(QueryColumn.stored("message", ColumnType.VARCHAR, MESSAGE.index()));

    @TempDir
    private Path directory;

    private final AtomicLong memory = new AtomicLong();

    @Test
    void largeValuesComeInSmallPages() throws IOException {
        LogBlockPageSource source = source(write(), TimeRange.ALL, List.of(MESSAGE_HANDLE));
        int rows = 0;
        while (!source.isFinished()) {
            SourcePage page = source.getNextSourcePage();
            if (page == null) {
                continue;
            }
            page.getBlock(0);
            assertThat(page.getSizeInBytes()).isLessThan(BATCH_BYTES + 2 * VALUE_BYTES);
            assertThat(memory.get()).isGreaterThanOrEqualTo((long) page.getPositionCount() * VALUE_BYTES);
            rows += page.getPositionCount();
        }
        assertThat(rows).isEqualTo(ROWS);
        source.close();
        assertThat(memory).hasValue(0);
    }

    @Test
    void partsHaveAllRowsOnce() throws IOException {
        Path path = write();
        for (List<CordwoodColumnHandle> columns : List.of(List.of(MESSAGE_HANDLE), List.<CordwoodColumnHandle>of())) {
            int rows = 0;
            for (TimeRange part : List.of(
                    new TimeRange(Long.MIN_VALUE, 9), new TimeRange(10, 39), new TimeRange(40, Long.MAX_VALUE))) {
                try (LogBlockPageSource source = source(path, part, columns)) {
                    while (!source.isFinished()) {
                        SourcePage page = source.getNextSourcePage();
                        rows += page == null ? 0 : page.getPositionCount();
                    }
                }
            }
            assertThat(rows).isEqualTo(ROWS);
        }
    }

    /** A hundred thousand rows are read for one, which no index finds. */
    @Test
    void aScanThatFindsLittleReturnsToTheEngineNowAndThen() throws IOException {
        String[] messages = new String[100_000];
        Arrays.setAll(messages, i -> "row " + i);
        ScanFilter rare = new ScanFilter(
                TimeRange.ALL, List.of(new Predicate.In(MESSAGE, List.of(ValueRange.equal("row 99998")))), false);
        int rows = 0;
        int returned = 0;
        try (LogBlockPageSource source = source(
                write(messages, LogBlockOptions.DEFAULTS),
                messages.length,
                rare,
                new ReadOptions(false, false, false),
                List.of(MESSAGE_HANDLE))) {
            while (!source.isFinished()) {
                SourcePage page = source.getNextSourcePage();
                rows += page == null ? 0 : page.getPositionCount();
                returned += page == null ? 1 : 0;
            }
        }
        assertThat(rows).isEqualTo(1);
        assertThat(returned).isGreaterThan(2);
    }

    private LogBlockPageSource source(Path path, TimeRange part, List<CordwoodColumnHandle> columns)
            throws IOException {
        return source(path, ROWS, ScanFilter.ANY.within(part), ReadOptions.DEFAULTS, columns);
    }

    private LogBlockPageSource source(
            Path path, int rows, ScanFilter filter, ReadOptions options, List<CordwoodColumnHandle> columns)
            throws IOException {
        LogBlockReader reader = new LogBlockReader(
                new LogBlockCache(
                        1 << 20,
                        new BlockCache(1 << 20, Optional.empty()),
                        new DecodedCache(1 << 20),
                        new S3Reads(() -> S3Settings.DEFAULTS, 1),
                        new DeletedRowsCache(LocalFileIO::new, 1 << 20)),
                new ScannedLogBlock(
                        LocalFileIO.location(path),
                        Files.size(path),
                        rows,
                        0,
                        rows - 1,
                        new TableBinding(Map.of(), Map.of("ts", List.of(TS), "message", List.of(MESSAGE)))),
                new ScanRequest(
                        columns.stream()
                                .map(column -> ((TableColumnHandle) column).column())
                                .toList(),
                        false,
                        Optional.empty(),
                        OptionalLong.empty(),
                        Optional.empty()),
                filter,
                new ReadSettings(options, true, true, true),
                Optional.empty());
        return new LogBlockPageSource(reader, columns, () -> ScanFilter.ANY, memory::set);
    }

    private Path write() throws IOException {
        String[] messages = new String[ROWS];
        Arrays.setAll(messages, i -> String.valueOf((char) ('0' + i)).repeat(VALUE_BYTES));
        return write(messages, CordwoodQueryRunner.SMALL_BLOCKS);
    }

    private Path write(String[] messages, LogBlockOptions options) throws IOException {
        Path path = directory.resolve("logblock.parquet");
        try (OutputStream out = Files.newOutputStream(path);
                LogBlockWriter writer = new LogBlockWriter(out, new LogBlockSchema(List.of(TS, MESSAGE)), options)) {
            writer.append(
                    List.of(new LongVector(LongStream.range(0, messages.length).toArray()), StringVector.of(messages)),
                    messages.length);
            writer.finish();
        }
        return path;
    }
}

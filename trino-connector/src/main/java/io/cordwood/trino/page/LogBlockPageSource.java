package io.cordwood.trino.page;

import io.airlift.slice.SizeOf;
import io.cordwood.query.plan.ScanFilter;
import io.cordwood.query.scan.BatchSize;
import io.cordwood.query.scan.ColumnReaders;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.TimeBinColumnHandle;
import io.cordwood.trino.metric.ConnectorMetrics;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A page source of the rows that a {@link LogBlockReader} finds. Columns are read on demand. Not thread-safe. */
public final class LogBlockPageSource implements ConnectorPageSource {
    private static final int BATCH_ROWS = 8192;

    private final LogBlockReader reader;
    private final List<CordwoodColumnHandle> columns;
    private final Optional<TimeBin> onlyBin;
    private final Supplier<ScanFilter> learnt;
    private final MemoryContext memory;
    private final List<BlockReader> readers = new ArrayList<>();
    private final BatchSize batch = new BatchSize(BATCH_ROWS);

    private Optional<TimeBinPages> bins = Optional.empty();
    /** Rows of the current batch, and how many of them were returned. */
    private int[] rows = new int[0];

    private int rowsDone;
    private long position;
    private long pageBytes;
    private boolean finished;
    private boolean closed;
    private long readTimeNanos;

    /** @param learnt supplies further conditions on the requested rows, known when the LogBlock is opened */
    public LogBlockPageSource(
            LogBlockReader reader,
            List<CordwoodColumnHandle> columns,
            Supplier<ScanFilter> learnt,
            MemoryContext memory) {
        this.reader = reader;
        this.columns = List.copyOf(columns);
        this.onlyBin = onlyBin(columns);
        this.learnt = learnt;
        this.memory = memory;
    }

    /** The time bin, if it is the only column. */
    public static Optional<TimeBin> onlyBin(List<CordwoodColumnHandle> columns) {
        return columns.size() == 1 && columns.getFirst() instanceof TimeBinColumnHandle(TimeBin bin)
                ? Optional.of(bin)
                : Optional.empty();
    }

    @Override
    public SourcePage getNextSourcePage() {
        if (finished) {
            return null;
        }
        if (!reader.isOpen()) {
            long start = System.nanoTime();
            open();
            readTimeNanos += System.nanoTime() - start;
        }
        if (reader.hasRows() ? !hasBatch() : position == reader.count()) {
            finished = true;
            return null;
        }
        if (reader.hasRows() && rowsDone == rows.length) {
            // An empty batch: the engine may run other work before the next one
            return null;
        }
        pageBytes = 0;
        SourcePage page = nextPage();
        position += page.getPositionCount();
        reader.handedOut(page.getPositionCount());
        finished = !reader.hasRows() && position == reader.count();
        return page;
    }

    private void open() {
        reader.open(learnt.get());
        try {
            if (reader.bins().isPresent()) {
                bins = Optional.of(new TimeBinPages(reader.bins().get(), onlyBin.orElseThrow()));
            }
            if (reader.hasRows()) {
                ColumnReaders factory = reader.columns(batch);
                for (CordwoodColumnHandle column : columns) {
                    readers.add(forgettingDamage(BlockReaders.of(column, factory)));
                }
            }
        } catch (IOException | RuntimeException e) {
            throw reader.failure(e);
        }
    }

    private BlockReader forgettingDamage(BlockReader blocks) {
        return (positions, from, size) -> {
            try {
                return blocks.read(positions, from, size);
            } catch (IOException | RuntimeException e) {
                reader.forget(e);
                throw e;
            }
        };
    }

    /** Moves to the next batch, which may be empty, if the current one is done; false if there is none. */
    private boolean hasBatch() {
        if (rowsDone == rows.length) {
            long start = System.nanoTime();
            Optional<int[]> next = reader.nextRows();
            readTimeNanos += System.nanoTime() - start;
            if (next.isEmpty()) {
                return false;
            }
            rows = next.get();
            rowsDone = 0;
        }
        memory.setBytes(scanBytes());
        return true;
    }

    private long scanBytes() {
        return SizeOf.sizeOf(rows) + reader.retainedBytes();
    }

    private SourcePage nextPage() {
        if (bins.isPresent()) {
            try {
                return SourcePage.create(bins.get().next());
            } catch (IOException | RuntimeException e) {
                throw reader.failure(e);
            }
        }
        if (!reader.hasRows()) {
            int size = (int) Math.min(Integer.MAX_VALUE, reader.count() - position);
            return onlyBin.map(
                            bin -> SourcePage.create(new TimeBinBlocks(bin).run(bin.millis(reader.fromMicros()), size)))
                    .orElseGet(() -> SourcePage.create(size));
        }
        int size = batch.next(rows.length - rowsDone);
        SourcePage page = columns.isEmpty()
                ? SourcePage.create(size)
                : new LogBlockSourcePage(reader.name(), columns, readers, batch, this::retain, rows, rowsDone, size);
        rowsDone += size;
        return page;
    }

    /** Counts only the last page, because the engine has processed the ones before. */
    private void retain(long bytes) {
        if (!closed) {
            pageBytes += bytes;
            memory.setBytes(scanBytes() + pageBytes);
        }
    }

    @Override
    public long getCompletedBytes() {
        return reader.bytesRead();
    }

    @Override
    public OptionalLong getCompletedPositions() {
        return OptionalLong.of(position);
    }

    @Override
    public long getReadTimeNanos() {
        return readTimeNanos;
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public Metrics getMetrics() {
        return ConnectorMetrics.of(reader.counts());
    }

    @Override
    public void close() {
        finished = true;
        closed = true;
        reader.close();
        memory.setBytes(0);
    }
}

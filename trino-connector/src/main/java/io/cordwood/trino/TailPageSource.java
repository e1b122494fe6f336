package io.cordwood.trino;

import static com.google.common.collect.ImmutableList.toImmutableList;

import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.type.Type;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The newest n rows of a scan, oldest first: reads its splits one after another, each of which gives its own newest n as
 * for any top-n, and merges them. Not thread-safe.
 */
final class TailPageSource implements ConnectorPageSource {
    /** Makes the page source of a split. */
    interface Splits {
        ConnectorPageSource read(CordwoodSplit split, List<CordwoodColumnHandle> columns, MemoryContext memory);
    }

    private final Deque<CordwoodSplit> waiting = new ArrayDeque<>();
    private final Splits splits;
    private final List<Type> types;
    private final List<CordwoodColumnHandle> read;
    private final NewestRows newest;
    private final MemoryContext memory;
    private final Metrics.Accumulator metrics = Metrics.accumulator();
    private Optional<ConnectorPageSource> current = Optional.empty();
    private Optional<Iterator<Page>> result = Optional.empty();
    /** Memory that the current split's source holds. */
    private long currentMemory;

    private long bytes;
    private long readTimeNanos;
    private long rows;

    /**
     * @param wanted n
     * @param columns the columns of the scan
     */
    TailPageSource(
            CordwoodTailSplit split,
            int wanted,
            List<CordwoodColumnHandle> columns,
            Splits splits,
            MemoryContext memory) {
        waiting.addAll(split.hot());
        waiting.addAll(split.cold());
        this.splits = splits;
        this.types = columns.stream().map(CordwoodColumnHandle::type).collect(toImmutableList());
        this.read = new ArrayList<>(columns);
        this.newest = new NewestRows(
                wanted, NewestRows.ORDER.stream().mapToInt(this::channel).toArray());
        this.memory = memory;
    }

    /** Where a column is read to; it is read besides those of the scan if it is not among them. */
    private int channel(CordwoodColumnHandle column) {
        for (int channel = 0; channel < read.size(); channel++) {
            if (read.get(channel).name().equals(column.name())) {
                return channel;
            }
        }
        read.add(column);
        return read.size() - 1;
    }

    @Override
    public CompletableFuture<?> isBlocked() {
        return current.<CompletableFuture<?>>map(ConnectorPageSource::isBlocked).orElse(NOT_BLOCKED);
    }

    @Override
    public SourcePage getNextSourcePage() {
        if (result.isPresent()) {
            return nextOf(result.get());
        }
        if (current.isEmpty()) {
            if (waiting.isEmpty()) {
                result = Optional.of(newest.pages(types));
                return nextOf(result.get());
            }
            current = Optional.of(splits.read(waiting.poll(), read, this::remember));
        }
        SourcePage page = current.get().getNextSourcePage();
        if (page != null) {
            newest.add(page);
            remember(currentMemory);
        }
        if (current.get().isFinished()) {
            endCurrent();
        }
        return null;
    }

    private void remember(long bytesOfCurrent) {
        currentMemory = bytesOfCurrent;
        memory.setBytes(bytesOfCurrent + newest.retainedBytes());
    }

    private SourcePage nextOf(Iterator<Page> pages) {
        if (!pages.hasNext()) {
            return null;
        }
        Page page = pages.next();
        rows += page.getPositionCount();
        return SourcePage.create(page);
    }

    private void endCurrent() {
        ConnectorPageSource ended = current.orElseThrow();
        current = Optional.empty();
        try {
            ended.close();
        } catch (IOException e) {
            throw new IllegalStateException("Closing reads nothing", e);
        }
        bytes += ended.getCompletedBytes();
        readTimeNanos += ended.getReadTimeNanos();
        metrics.add(ended.getMetrics());
        remember(0);
    }

    @Override
    public boolean isFinished() {
        return result.isPresent() && !result.get().hasNext();
    }

    @Override
    public long getCompletedBytes() {
        return bytes + current.map(ConnectorPageSource::getCompletedBytes).orElse(0L);
    }

    @Override
    public OptionalLong getCompletedPositions() {
        return OptionalLong.of(rows);
    }

    @Override
    public long getReadTimeNanos() {
        return readTimeNanos
                + current.map(ConnectorPageSource::getReadTimeNanos).orElse(0L);
    }

    @Override
    public Metrics getMetrics() {
        return metrics.get();
    }

    @Override
    public void close() {
        waiting.clear();
        if (current.isPresent()) {
            endCurrent();
        }
        result = Optional.of(Collections.emptyIterator());
        memory.setBytes(0);
    }
}

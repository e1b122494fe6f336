package io.cordwood.trino.page;

import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.CordwoodCombinedSplit;
import io.cordwood.trino.handle.CordwoodSplit;
import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A page source that combines a whole scan: it reads the splits one after another, passes their rows to a {@link
 * RowCombiner}, and then returns the combiner's pages. Not thread-safe.
 */
public final class CombiningPageSource implements ConnectorPageSource {
    /** Creates the page source of a split. */
    public interface Splits {
        ConnectorPageSource read(CordwoodSplit split, List<CordwoodColumnHandle> columns, MemoryContext memory);
    }

    private final Deque<CordwoodSplit> waiting = new ArrayDeque<>();
    private final RowCombiner combiner;
    private final Splits splits;
    private final MemoryContext memory;
    private final Metrics.Accumulator metrics = Metrics.accumulator();
    private Optional<ConnectorPageSource> current = Optional.empty();
    private Optional<Iterator<Page>> result = Optional.empty();
    /** Memory of the current split's source. */
    private long currentMemory;

    private long bytes;
    private long readTimeNanos;
    private long rows;

    public CombiningPageSource(CordwoodCombinedSplit split, RowCombiner combiner, Splits splits, MemoryContext memory) {
        waiting.addAll(split.hot());
        waiting.addAll(split.cold());
        this.combiner = combiner;
        this.splits = splits;
        this.memory = memory;
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
                result = Optional.of(combiner.pages());
                remember(0);
                return nextOf(result.get());
            }
            current = Optional.of(splits.read(waiting.poll(), combiner.columns(), this::remember));
        }
        SourcePage page = current.get().getNextSourcePage();
        if (page != null) {
            combiner.add(page);
            remember(currentMemory);
        }
        if (current.get().isFinished()) {
            endCurrent();
        }
        return null;
    }

    private void remember(long bytesOfCurrent) {
        currentMemory = bytesOfCurrent;
        memory.setBytes(bytesOfCurrent + combiner.retainedBytes());
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

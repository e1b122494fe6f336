package io.cordwood.trino;

import com.google.common.collect.ImmutableMap;
import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.TailMetrics;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BiFunction;

/** Rows of the tail as LogBlocks in memory, in the order in which they are read from Kafka. Not thread-safe. */
final class HotLogBlocks implements LogBlockSequence {
    private final HotScan scan;
    private final TailMetrics metrics;
    private final BiFunction<LogBlocks, HotLogBlock, CordwoodColdPageSource> pageSource;
    private final Deque<HotLogBlock> ready = new ArrayDeque<>();
    private long logBlocks;
    private long rows;

    /** @param pageSource makes the page source of a LogBlock */
    HotLogBlocks(
            HotScan scan, TailMetrics metrics, BiFunction<LogBlocks, HotLogBlock, CordwoodColdPageSource> pageSource) {
        this.scan = scan;
        this.metrics = metrics;
        this.pageSource = pageSource;
    }

    @Override
    public boolean isDone() {
        return ready.isEmpty() && scan.isDone();
    }

    @Override
    public Optional<CordwoodColdPageSource> next() {
        if (ready.isEmpty()) {
            ready.addAll(HotFailures.translated(scan::next));
        }
        return Optional.ofNullable(ready.poll())
                .map(logBlock -> pageSource.apply(new InMemory(logBlock.logBlock()), logBlock));
    }

    @Override
    public void read(CordwoodColdPageSource logBlock) {
        logBlocks++;
        rows += logBlock.getCompletedPositions().orElse(0);
    }

    @Override
    public long bytesRead() {
        return metrics.bytesRead.sum();
    }

    @Override
    public Metrics metrics() {
        return new Metrics(ImmutableMap.<String, Metric<?>>builder()
                .put("hot chunks read", new LongCount(metrics.chunksRead.sum()))
                .put("hot chunks in memory", new LongCount(metrics.chunksCached.sum()))
                .put("hot records read", new LongCount(metrics.recordsRead.sum()))
                .put("hot bytes read", new LongCount(metrics.bytesRead.sum()))
                .put("hot LogBlocks", new LongCount(logBlocks))
                .put("hot rows selected", new LongCount(rows))
                .buildOrThrow());
    }

    @Override
    public void close() {
        ready.clear();
        scan.close();
    }

    /** A LogBlock that needs no opening. */
    private record InMemory(LogBlock logBlock) implements LogBlocks {
        @Override
        public LogBlock open(CordwoodColdSplit split, boolean useCache, ReadMetrics metrics) {
            return logBlock;
        }

        @Override
        public DeletedRows deletedRows(CordwoodColdSplit split, boolean useCache) {
            return DeletedRows.NONE;
        }

        @Override
        public void forget(CordwoodColdSplit split, Exception failure) {}

        @Override
        public void used(CordwoodColdSplit split, LogBlock used) {}
    }
}

package io.cordwood.query.scan;

import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotReadMetrics;
import io.cordwood.hot.HotScan;
import io.cordwood.query.snapshot.HotFailures;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** A sequence of hot rows as LogBlocks in memory, in the order of reading from Kafka. Not thread-safe. */
final class HotLogBlocks implements LogBlockSequence {
    private final HotScan scan;
    private final HotReadMetrics metrics;
    private final BiFunction<LogBlocks, HotLogBlock, LogBlockReader> reader;
    private final Deque<HotLogBlock> ready = new ArrayDeque<>();
    private long logBlocks;
    private long rows;

    /** @param reader creates the reader of a LogBlock */
    HotLogBlocks(HotScan scan, HotReadMetrics metrics, BiFunction<LogBlocks, HotLogBlock, LogBlockReader> reader) {
        this.scan = scan;
        this.metrics = metrics;
        this.reader = reader;
    }

    @Override
    public boolean isDone() {
        return ready.isEmpty() && scan.isDone();
    }

    @Override
    public Optional<LogBlockReader> next() {
        if (ready.isEmpty()) {
            ready.addAll(HotFailures.translated(scan::next));
        }
        return Optional.ofNullable(ready.poll())
                .map(logBlock -> reader.apply(new LogBlockInMemory(logBlock.logBlock()), logBlock));
    }

    @Override
    public void read(LogBlockReader logBlock) {
        logBlocks++;
        rows += logBlock.rowsHandedOut();
    }

    @Override
    public long bytesRead() {
        return metrics.bytesRead.sum();
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("hot chunks read", metrics.chunksRead.sum());
        counts.put("hot chunks in memory", metrics.chunksCached.sum());
        counts.put("hot records read", metrics.recordsRead.sum());
        counts.put("hot bytes read", metrics.bytesRead.sum());
        counts.put("hot LogBlocks", logBlocks);
        counts.put("hot rows selected", rows);
        return counts;
    }

    @Override
    public void close() {
        ready.clear();
        scan.close();
    }
}

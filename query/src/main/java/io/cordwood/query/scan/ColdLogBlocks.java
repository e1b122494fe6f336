package io.cordwood.query.scan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A sequence of LogBlocks on object storage, in a fixed order. Not thread-safe. */
public final class ColdLogBlocks implements LogBlockSequence {
    private final Deque<Supplier<LogBlockReader>> waiting;
    private final Map<String, Long> counts = new LinkedHashMap<>();

    private Optional<LogBlockReader> current = Optional.empty();
    private long bytes;

    /**
     * Creates a sequence of LogBlocks.
     *
     * @param logBlocks suppliers of a reader for each LogBlock, in order; each is called when it is needed
     */
    public ColdLogBlocks(List<Supplier<LogBlockReader>> logBlocks) {
        this.waiting = new ArrayDeque<>(logBlocks);
    }

    @Override
    public boolean isDone() {
        return waiting.isEmpty();
    }

    @Override
    public Optional<LogBlockReader> next() {
        current = Optional.of(waiting.poll().get());
        return current;
    }

    @Override
    public void read(LogBlockReader logBlock) {
        current = Optional.empty();
        bytes += logBlock.bytesRead();
        add(counts, logBlock);
    }

    private static void add(Map<String, Long> counts, LogBlockReader logBlock) {
        logBlock.counts().forEach((name, count) -> counts.merge(name, count, Long::sum));
    }

    @Override
    public long bytesRead() {
        return bytes + current.map(LogBlockReader::bytesRead).orElse(0L);
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>(counts);
        current.ifPresent(logBlock -> add(all, logBlock));
        return all;
    }

    @Override
    public void close() {
        waiting.clear();
    }
}

package io.cordwood.trino;

import io.trino.spi.metrics.Metrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** LogBlocks on object storage, in a fixed order. Not thread-safe. */
final class ColdLogBlocks implements LogBlockSequence {
    private final Deque<Supplier<CordwoodColdPageSource>> waiting;
    private final Metrics.Accumulator metrics = Metrics.accumulator();
    private Optional<CordwoodColdPageSource> current = Optional.empty();
    private long bytes;

    /** @param logBlocks a page source for each LogBlock, in order; each is made when its turn has come */
    ColdLogBlocks(List<Supplier<CordwoodColdPageSource>> logBlocks) {
        this.waiting = new ArrayDeque<>(logBlocks);
    }

    @Override
    public boolean isDone() {
        return waiting.isEmpty();
    }

    @Override
    public Optional<CordwoodColdPageSource> next() {
        current = Optional.of(waiting.poll().get());
        return current;
    }

    @Override
    public void read(CordwoodColdPageSource logBlock) {
        current = Optional.empty();
        bytes += logBlock.getCompletedBytes();
        metrics.add(logBlock.getMetrics());
    }

    @Override
    public long bytesRead() {
        return bytes + current.map(CordwoodColdPageSource::getCompletedBytes).orElse(0L);
    }

    @Override
    public Metrics metrics() {
        return current.isEmpty()
                ? metrics.get()
                : Metrics.accumulator()
                        .add(metrics.get())
                        .add(current.get().getMetrics())
                        .get();
    }

    @Override
    public void close() {
        waiting.clear();
    }
}

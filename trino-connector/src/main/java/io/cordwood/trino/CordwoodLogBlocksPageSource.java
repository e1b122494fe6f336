package io.cordwood.trino;

import com.google.common.base.Ticker;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reads LogBlocks one after another, as far as they are wanted. Not thread-safe. */
final class CordwoodLogBlocksPageSource implements ConnectorPageSource {
    /** The leader may be on another node after all, where one has just joined; and waiting saves work, no more. */
    private static final long MAX_WAIT_SECONDS = 10;

    private final LogBlockSequence logBlocks;
    private final OptionalLong limit;
    private final Optional<TopNBound> topNBound;
    private final Consumer<CordwoodColdPageSource> meter;
    private final boolean leads;
    private final ScanTotals totals;
    private final CompletableFuture<Void> turn;
    private final TimeSlice slice = new TimeSlice(Ticker.systemTicker());
    private Optional<CordwoodColdPageSource> current = Optional.empty();
    private long rows;
    private long readTimeNanos;
    private boolean closed;

    /**
     * @param logBlocks the LogBlocks, in order
     * @param turn when they are read, for a top-n
     * @param limit how many rows suffice
     * @param topNBound shared with the other page sources of a top-n
     * @param meter is told of each LogBlock that was read
     * @param totals takes what reading took, at the end
     */
    CordwoodLogBlocksPageSource(
            LogBlockSequence logBlocks,
            CordwoodLogBlocksSplit.Turn turn,
            OptionalLong limit,
            Optional<TopNBound> topNBound,
            Consumer<CordwoodColdPageSource> meter,
            ScanTotals totals) {
        this.logBlocks = logBlocks;
        this.limit = limit;
        this.topNBound = topNBound;
        this.meter = meter;
        this.totals = totals;
        this.leads = topNBound.map(bound -> bound.leads(turn)).orElse(true);
        this.turn = leads
                ? CompletableFuture.completedFuture(null)
                : topNBound
                        .orElseThrow()
                        .leaderDone()
                        .copy()
                        .completeOnTimeout(null, MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public CompletableFuture<?> isBlocked() {
        if (closed) {
            return NOT_BLOCKED;
        }
        return turn.isDone() ? slice.pause() : turn;
    }

    private boolean mustWait() {
        return !closed && !turn.isDone();
    }

    @Override
    public SourcePage getNextSourcePage() {
        if (mustWait()) {
            return null;
        }
        while (!isFinished()) {
            if (current.isEmpty()) {
                current = next();
                if (current.isEmpty()) {
                    return null;
                }
            }
            SourcePage page = current.get().getNextSourcePage();
            if (page != null) {
                rows += page.getPositionCount();
                return page;
            }
            if (current.get().isFinished()) {
                endCurrent();
            }
            if (!isFinished()) {
                // Others have their turn between two LogBlocks, and between stretches without a row
                return null;
            }
        }
        close();
        return null;
    }

    private Optional<CordwoodColdPageSource> next() {
        long start = System.nanoTime();
        try {
            return logBlocks.next();
        } finally {
            readTimeNanos += System.nanoTime() - start;
        }
    }

    private void endCurrent() {
        CordwoodColdPageSource ended = current.orElseThrow();
        current = Optional.empty();
        ended.close();
        readTimeNanos += ended.getReadTimeNanos();
        logBlocks.read(ended);
        meter.accept(ended);
    }

    @Override
    public boolean isFinished() {
        return closed
                || (current.isEmpty() && logBlocks.isDone())
                || (limit.isPresent() && rows >= limit.getAsLong() && current.isEmpty());
    }

    @Override
    public long getCompletedBytes() {
        return logBlocks.bytesRead();
    }

    @Override
    public OptionalLong getCompletedPositions() {
        return OptionalLong.of(rows);
    }

    @Override
    public long getReadTimeNanos() {
        return readTimeNanos
                + current.map(CordwoodColdPageSource::getReadTimeNanos).orElse(0L);
    }

    @Override
    public Metrics getMetrics() {
        return logBlocks.metrics();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (current.isPresent()) {
            endCurrent();
        }
        totals.add(logBlocks.metrics());
        logBlocks.close();
        if (leads) {
            topNBound.ifPresent(TopNBound::leaderIsDone);
        }
    }
}

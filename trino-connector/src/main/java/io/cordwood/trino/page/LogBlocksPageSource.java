package io.cordwood.trino.page;

import com.google.common.base.Ticker;
import io.cordwood.query.plan.SplitOrder;
import io.cordwood.query.scan.LogBlockReader;
import io.cordwood.query.scan.LogBlockSequence;
import io.cordwood.query.scan.TopNBound;
import io.cordwood.query.usage.ShownCounts;
import io.cordwood.trino.error.QueryErrors;
import io.cordwood.trino.metric.ConnectorMetrics;
import io.cordwood.trino.metric.ScanTotals;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** A page source that reads LogBlocks one after another, as long as rows are needed. Not thread-safe. */
public final class LogBlocksPageSource implements ConnectorPageSource {
    /** The maximum wait for the leader, which may be on a node that has just joined; waiting only saves work. */
    private static final long MAX_WAIT_SECONDS = 10;

    /** The current LogBlock. */
    private record Reading(LogBlockReader reader, LogBlockPageSource pages) {}

    private final LogBlockSequence logBlocks;
    private final OptionalLong limit;
    private final Optional<TopNBound> topNBound;
    private final Function<LogBlockReader, LogBlockPageSource> pageSource;
    private final Consumer<LogBlockReader> meter;
    private final boolean leads;
    private final ScanTotals totals;
    private final ShownCounts shown;
    private final CompletableFuture<Void> start;
    private final TimeSlice slice = new TimeSlice(Ticker.systemTicker());
    private Optional<Reading> current = Optional.empty();
    private long rows;
    private long readTimeNanos;
    private boolean closed;

    /**
     * @param logBlocks the LogBlocks, in order
     * @param order the order in which the splits of a top-n are read
     * @param limit number of rows that suffice
     * @param topNBound shared with the other page sources of a top-n
     * @param pageSource creates the page source of a LogBlock
     * @param meter receives each LogBlock that was read
     * @param totals receives the counts of the reads at the end
     * @param shown the counts that the user sees
     */
    public LogBlocksPageSource(
            LogBlockSequence logBlocks,
            SplitOrder order,
            OptionalLong limit,
            Optional<TopNBound> topNBound,
            Function<LogBlockReader, LogBlockPageSource> pageSource,
            Consumer<LogBlockReader> meter,
            ScanTotals totals,
            ShownCounts shown) {
        this.logBlocks = logBlocks;
        this.limit = limit;
        this.topNBound = topNBound;
        this.pageSource = pageSource;
        this.meter = meter;
        this.totals = totals;
        this.shown = shown;
        this.leads = topNBound.map(bound -> bound.leads(order)).orElse(true);
        this.start = leads
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
        return start.isDone() ? slice.pause() : start;
    }

    private boolean mustWait() {
        return !closed && !start.isDone();
    }

    @Override
    public SourcePage getNextSourcePage() {
        return QueryErrors.call(this::nextPage);
    }

    private SourcePage nextPage() {
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
            SourcePage page = current.get().pages().getNextSourcePage();
            if (page != null) {
                rows += page.getPositionCount();
                return page;
            }
            if (current.get().pages().isFinished()) {
                endCurrent();
            }
            if (!isFinished()) {
                // Yields to other work between two LogBlocks, and between batches without a row
                return null;
            }
        }
        close();
        return null;
    }

    private Optional<Reading> next() {
        long begun = System.nanoTime();
        try {
            return logBlocks.next().map(reader -> new Reading(reader, pageSource.apply(reader)));
        } finally {
            readTimeNanos += System.nanoTime() - begun;
        }
    }

    private void endCurrent() {
        Reading ended = current.orElseThrow();
        current = Optional.empty();
        ended.pages().close();
        readTimeNanos += ended.pages().getReadTimeNanos();
        logBlocks.read(ended.reader());
        meter.accept(ended.reader());
    }

    @Override
    public boolean isFinished() {
        return closed
                || (current.isEmpty() && logBlocks.isDone())
                || (limit.isPresent() && rows >= limit.getAsLong() && current.isEmpty());
    }

    @Override
    public long getCompletedBytes() {
        return shown.bytes(logBlocks.bytesRead());
    }

    @Override
    public OptionalLong getCompletedPositions() {
        return OptionalLong.of(rows);
    }

    @Override
    public long getReadTimeNanos() {
        return readTimeNanos
                + current.map(reading -> reading.pages().getReadTimeNanos()).orElse(0L);
    }

    @Override
    public Metrics getMetrics() {
        return ConnectorMetrics.of(shown.counts(logBlocks.counts()));
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
        totals.add(logBlocks.counts());
        logBlocks.close();
        if (leads) {
            topNBound.ifPresent(TopNBound::leaderIsDone);
        }
    }
}

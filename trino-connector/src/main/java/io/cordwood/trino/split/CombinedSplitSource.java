package io.cordwood.trino.split;

import io.cordwood.trino.handle.CordwoodCombinedSplit;
import io.cordwood.trino.handle.CordwoodHotSplit;
import io.cordwood.trino.handle.CordwoodLogBlocksSplit;
import io.cordwood.trino.handle.CordwoodSplit;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A split source that combines all splits of a scan into one. Calls do not overlap. */
public final class CombinedSplitSource implements ConnectorSplitSource {
    private static final int BATCH = 1000;

    private final ConnectorSplitSource splits;
    private final List<CordwoodHotSplit> hot = new ArrayList<>();
    private final List<CordwoodLogBlocksSplit> cold = new ArrayList<>();
    private volatile boolean finished;

    /** @param splits the splits of the scan, best first */
    public CombinedSplitSource(ConnectorSplitSource splits) {
        this.splits = splits;
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilter) {
        // A join's dynamic filter must not select among the rows
        return splits.getNextBatch(BATCH, DynamicFilterSnapshot.EMPTY).thenApply(this::combined);
    }

    private List<ConnectorSplit> combined(List<ConnectorSplit> batch) {
        for (ConnectorSplit split : batch) {
            switch ((CordwoodSplit) split) {
                case CordwoodHotSplit hotSplit -> hot.add(hotSplit);
                case CordwoodLogBlocksSplit ofLogBlocks -> cold.add(ofLogBlocks);
                case CordwoodCombinedSplit all -> throw new IllegalStateException("Combined already: " + all);
            }
        }
        if (!splits.isFinished()) {
            return List.of();
        }
        finished = true;
        return hot.isEmpty() && cold.isEmpty() ? List.of() : List.of(new CordwoodCombinedSplit(hot, cold));
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public Metrics getMetrics() {
        return splits.getMetrics();
    }

    @Override
    public void close() {
        finished = true;
        splits.close();
    }
}

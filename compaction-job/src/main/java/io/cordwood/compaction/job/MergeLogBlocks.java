package io.cordwood.compaction.job;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.compaction.merge.DayMerger;
import io.cordwood.compaction.merge.MergeResult;
import io.cordwood.logblock.schema.LogBlockOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Merges and commits. A failed merge leaves its table unchanged and is tried again after ten minutes. */
public final class MergeLogBlocks extends RichFlatMapFunction<MergeTask, MergeResult> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(MergeLogBlocks.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(10);

    private final CatalogFactory factory;
    private final int zstdLevel;
    private final boolean copiesText;
    private transient CatalogClient catalog;
    private transient DayMerger merger;
    /** Time of the last failed merge of each day, by {@link MergeTask#key}. */
    private transient Map<String, Long> failed;

    /**
     * @param zstdLevel compression level of the LogBlocks written
     * @param copiesText whether text is copied where it can be
     */
    public MergeLogBlocks(CatalogFactory factory, int zstdLevel, boolean copiesText) {
        this.factory = factory;
        this.zstdLevel = zstdLevel;
        this.copiesText = copiesText;
    }

    @Override
    public void open(OpenContext context) {
        catalog = factory.connect();
        failed = new HashMap<>();
        merger = new DayMerger(catalog, LogBlockOptions.DEFAULTS.withZstdLevel(zstdLevel), copiesText);
        Count.register(getRuntimeContext(), EnumSet.range(Count.MERGES, Count.ROWS_REMOVED));
    }

    @Override
    public void flatMap(MergeTask task, Collector<MergeResult> out) throws InterruptedException {
        long start = System.nanoTime();
        failed.values().removeIf(failure -> start - failure > PAUSE_AFTER_FAILURE.toNanos());
        if (failed.containsKey(task.key())) {
            return;
        }
        String day = LocalDate.ofEpochDay(task.epochDay()).toString();
        try {
            MergeResult result = merger.merge(
                    task.tenantId(),
                    task.stream(),
                    task.epochDay(),
                    Set.of(task.locations()),
                    task.outputs(),
                    task.isDense());
            if (!result.isDone()) {
                count(Count.MERGES_VOID, 1);
                LOG.info("Table {} of '{}' has changed for {}; not merged", task.stream(), task.tenantId(), day);
                return;
            }
            count(Count.MERGES, 1);
            count(Count.FILES_READ, result.filesRead());
            count(Count.FILES_WRITTEN, result.filesWritten());
            count(Count.FILES_DENSE, result.filesDense());
            count(Count.BYTES_READ, result.bytesRead());
            count(Count.BYTES_WRITTEN, result.bytesWritten());
            count(Count.ROWS, result.rows());
            count(Count.ROWS_REMOVED, result.rowsRemoved());
            LOG.info(
                    "{} of '{}' for {}: {} LogBlocks of {} bytes became {} ({} dense) of {} bytes, {} rows, {} deleted rows removed, {} ms",
                    task.stream(),
                    task.tenantId(),
                    day,
                    result.filesRead(),
                    result.bytesRead(),
                    result.filesWritten(),
                    result.filesDense(),
                    result.bytesWritten(),
                    result.rows(),
                    result.rowsRemoved(),
                    (System.nanoTime() - start) / 1_000_000);
            out.collect(result);
        } catch (IOException | RuntimeException e) {
            // A failure in one table must not stop the merges of the others.
            count(Count.MERGES_FAILED, 1);
            failed.put(task.key(), start);
            LOG.warn(
                    "Cannot merge {} of '{}' for {}; the next attempt is in ten minutes",
                    task.stream(),
                    task.tenantId(),
                    day,
                    e);
        }
    }

    private void count(Count count, long value) {
        count.add(getRuntimeContext(), value);
    }

    @Override
    public void close() {
        if (catalog != null) {
            catalog.close();
        }
    }
}

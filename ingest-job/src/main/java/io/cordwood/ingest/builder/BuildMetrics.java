package io.cordwood.ingest.builder;

import io.cordwood.logblock.write.LogBlockSummary;
import io.cordwood.record.UndecodableRecordException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** The metrics that Flink's dashboard shows for the operator. Used by the task thread only. */
final class BuildMetrics {
    private final Counter rows;
    private final Counter bytes;
    private final Counter skipped;
    private final Counter unparsedTimes;
    private final Counter restamped;
    private final Counter failedFlushes;
    private final Counter failedStatistics;
    private final Counter failedColumns;
    private final Counter failedDeclarations;
    private final Counter slowedMillis;
    private final Counter tokenRulesWaitedMillis;
    private final Counter logBlocks;
    private final Counter logBlockRows;
    private final Counter logBlockBytes;
    private final Map<FlushReason, Counter> flushes = new EnumMap<>(FlushReason.class);
    private final Map<UndecodableRecordException.Reason, Counter> deadLetters =
            new EnumMap<>(UndecodableRecordException.Reason.class);
    private final MetricGroup group;

    BuildMetrics(MetricGroup group) {
        this.group = group;
        this.rows = group.counter("rows");
        this.bytes = group.counter("bytes");
        this.skipped = group.counter("records_skipped");
        this.unparsedTimes = group.addGroup("reason", "unparsed").counter("times_replaced");
        this.restamped = group.addGroup("reason", "restamped").counter("times_replaced");
        this.failedFlushes = group.counter("flushes_failed");
        this.failedStatistics = group.counter("statistics_failed");
        this.failedColumns = group.counter("columns_failed");
        this.failedDeclarations = group.counter("declarations_failed");
        this.slowedMillis = group.counter("slowed_millis");
        this.tokenRulesWaitedMillis = group.counter("token_rules_waited_millis");
        this.logBlocks = group.counter("logblocks");
        this.logBlockRows = group.counter("logblock_rows");
        this.logBlockBytes = group.counter("logblock_bytes");
        for (FlushReason reason : FlushReason.values()) {
            flushes.put(reason, group.addGroup("reason", reason.metric()).counter("flushes"));
        }
        for (UndecodableRecordException.Reason reason : UndecodableRecordException.Reason.values()) {
            deadLetters.put(
                    reason,
                    group.addGroup("reason", reason.name().toLowerCase(Locale.ROOT))
                            .counter("dead_letters"));
        }
    }

    void gauge(String name, LongSupplier value) {
        group.gauge(name, (Gauge<Long>) value::getAsLong);
    }

    void decoded(int decodedRows, long decodedBytes) {
        rows.inc(decodedRows);
        bytes.inc(decodedBytes);
    }

    /** Counts rows that got the append time, because their own did not parse, or because they were restamped. */
    void replacedTimes(int unparsedRows, int restampedRows) {
        unparsedTimes.inc(unparsedRows);
        restamped.inc(restampedRows);
    }

    /** Counts a record that was ingested before. */
    void skipped() {
        skipped.inc();
    }

    void deadLetter(UndecodableRecordException.Reason reason) {
        deadLetters.get(reason).inc();
    }

    void flush(FlushReason reason) {
        flushes.get(reason).inc();
    }

    /** Counts a written LogBlock. */
    void wrote(LogBlockSummary logBlock) {
        logBlocks.inc();
        logBlockRows.inc(logBlock.rowCount());
        logBlockBytes.inc(logBlock.sizeInBytes());
    }

    void failedFlush() {
        failedFlushes.inc();
    }

    /** Counts a failure to publish statistics of chunks, completely or in part. */
    void failedStatistics() {
        failedStatistics.inc();
    }

    /** Counts a failure to publish columns of chunks, completely or in part. */
    void failedColumns() {
        failedColumns.inc();
    }

    /** Counts tenants that did not get the columns requested ahead of their flushes. */
    void failedDeclarations(int tenants) {
        failedDeclarations.inc(tenants);
    }

    long failedDeclarations() {
        return failedDeclarations.getCount();
    }

    /** Counts time of slowed reading, because too many rows wait. */
    void slowed(long millis) {
        slowedMillis.inc(millis);
    }

    /** Counts time for which reading stood still, because no rules of tokens covered a record. */
    void waitedForTokenRules(long millis) {
        tokenRulesWaitedMillis.inc(millis);
    }
}

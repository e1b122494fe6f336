package io.cordwood.standalone.tail;

import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotReadMetrics;
import io.cordwood.hot.HotScan;
import io.cordwood.hot.HotTable;
import io.cordwood.hot.HotTables;
import io.cordwood.hot.HotTier;
import io.cordwood.hot.HotTierException;
import io.cordwood.hot.LogEnds;
import io.cordwood.hot.LogOffsets;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.standalone.error.CordwoodException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads rows of one tenant from the log of a stream. Not thread-safe. */
public final class TailReader {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HotTier tier;
    private final String stream;
    private final TenantTable table;
    private final Optional<TextMatch> match;

    /** Rows of spans, and the bytes of records of all tenants that were read for them. */
    record Part(List<TailRow> rows, long bytes) {}

    /**
     * @param match the condition on rows; empty for all rows
     * @throws CordwoodException if the condition is on a column without text
     */
    public TailReader(HotTier tier, String stream, TenantTable table, Optional<TextMatch> match) {
        this.tier = tier;
        this.stream = stream;
        this.table = table;
        this.match = match;
        rowReader();
    }

    private RowReader rowReader() {
        return new RowReader(table.current().schema(), match);
    }

    String stream() {
        return stream;
    }

    Optional<LogEnds> end() {
        return tier.end(stream);
    }

    Optional<LogOffsets> begin() {
        return tier.begin(stream);
    }

    Optional<LogOffsets> since(Instant time) {
        return tier.since(stream, time);
    }

    /**
     * Rows of spans below the stream's end, in order.
     *
     * @param maxBytes maximum bytes of records to read
     * @throws HotTierException if the records cannot be read, or exceed that size
     */
    Part read(String topicId, List<OffsetSpan> spans, long maxBytes) {
        // One schema for all of it
        HotTable current = table.current();
        RowReader reader = new RowReader(current.schema(), match);
        HotReadMetrics metrics = new HotReadMetrics();
        List<TailRow> rows = new ArrayList<>();
        try (HotScan scan = tier.scan(
                stream,
                LogVersion.of(topicId),
                spans.stream().map(HotSpan::unknown).toList(),
                HotTables.one(current),
                new ReadLimits(maxBytes, TIMEOUT),
                false,
                metrics)) {
            while (!scan.isDone()) {
                for (HotLogBlock logBlock : scan.next()) {
                    rows.addAll(reader.read(logBlock.logBlock()));
                }
            }
        }
        rows.sort(null);
        return new Part(rows, metrics.bytesRead.sum());
    }
}

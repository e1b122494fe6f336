package io.cordwood.query.plan;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.LogVersion;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.hot.statistics.ChunkStatistics;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.table.QueryColumn;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of a stream's hot rows: spans of offsets, and the tables as the query sees them. Immutable.
 *
 * @param stream the stream
 * @param log the version of the log that the offsets refer to
 * @param spans the offsets, of each partition in order and without overlap
 * @param tables the tables that the scan reads; a tenant without an entry has no table
 * @param shown the columns of a scan over all tenants; empty for a scan of one tenant's table
 */
public record HotPart(
        String stream, LogVersion log, List<Span> spans, List<Table> tables, Map<String, QueryColumn> shown)
        implements ScanPart {
    /**
     * Offsets {@code [from, to)} of a partition.
     *
     * @param records offsets of the records to read, if all others certainly hold no requested row; empty for all
     * @param fromMicros a lower bound of the times of the requested rows
     * @param toMicros an upper bound of them
     */
    public record Span(int partition, long from, long to, List<Long> records, long fromMicros, long toMicros) {
        public Span {
            records = List.copyOf(records);
        }

        /** Reading a single record takes a round trip, about as long as reading this many consecutive records. */
        private static final int RECORD_COST = 200;

        static Span of(HotSpan hot) {
            return new Span(
                    hot.span().partition(),
                    hot.span().from(),
                    hot.span().to(),
                    hot.isWhole()
                            ? List.of()
                            : hot.reads().stream().map(OffsetSpan::from).toList(),
                    hot.time().fromMicros(),
                    hot.time().toMicros());
        }

        public HotSpan hotSpan() {
            OffsetSpan all = new OffsetSpan(partition, from, to);
            List<OffsetSpan> reads = records.stream()
                    .map(offset -> new OffsetSpan(partition, offset, offset + 1))
                    .toList();
            return new HotSpan(all, records.isEmpty() ? List.of(all) : reads, new TimeRange(fromMicros, toMicros));
        }

        /** The cost of reading the span, in consecutive records. */
        long cost() {
            return records.isEmpty() ? to - from : (long) RECORD_COST * records.size();
        }
    }

    /**
     * A table of the scan.
     *
     * @param tenantId the tenant
     * @param namespace the tenant's schema name
     * @param metadataLocation its metadata file; empty for a tenant without a table
     * @param floors offsets, as {@link io.cordwood.catalog.table.TableOffsets} writes them, below which the tenant's
     *     rows are gone, because it was deleted; empty for a scan of one tenant's table, whose spans begin there
     */
    public record Table(
            String tenantId, String namespace, Optional<String> metadataLocation, Optional<String> floors) {}

    public HotPart {
        requireNonNull(stream, "stream is null");
        requireNonNull(log, "log is null");
        spans = List.copyOf(spans);
        tables = List.copyOf(tables);
        shown = Map.copyOf(shown);
    }

    /** Whether the scan reads rows of all tenants. */
    @JsonIgnore
    public boolean isOfAllTenants() {
        return !shown.isEmpty();
    }

    /** A key that is equal for parts with the same chunks, so that a node finds their rows in its cache. */
    @JsonIgnore
    public String affinityKey() {
        Span first = spans.getFirst();
        return "%s/%d/%d".formatted(log.topicId(), first.partition(), ChunkStatistics.number(first.from()));
    }
}

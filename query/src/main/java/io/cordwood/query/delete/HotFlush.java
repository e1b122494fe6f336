package io.cordwood.query.delete;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.snapshot.AcknowledgedRows;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.TableVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a tenant's rows from Kafka into LogBlocks: asks the ingest job to flush them and waits until it has.
 * Thread-safe.
 */
public final class HotFlush {
    private static final Logger LOG = LoggerFactory.getLogger(HotFlush.class);
    private static final long POLL_MILLIS = 500;

    private final QueryCatalog catalog;

    public HotFlush(QueryCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Waits until all of a tenant's rows that are acknowledged now are in LogBlocks. The transaction then sees a
     * snapshot that has them, and no row that is acknowledged later. Returns at once if the rows are in LogBlocks
     * already.
     *
     * @throws QueryException FLUSH_TIMEOUT if the wait exceeds the statement's timeout, KAFKA_UNAVAILABLE if Kafka
     *     cannot be reached
     */
    void flush(DeleteStatement statement, QuerySnapshot version, String tenantId, String stream) {
        if (!version.hasHotTier()) {
            version.renew(stream);
            version.limitTo(tenantId, stream, tableOffsets(version, tenantId, stream));
            return;
        }
        ReadLimits limits = statement.hotReadLimits();
        Duration timeout = statement.flushTimeout();
        long started = System.nanoTime();
        AcknowledgedRows rows = version.acknowledgedNow(tenantId, stream);
        LOG.info(
                "DELETE of query {} leaves rows that Kafka acknowledges later: those of tenant '{}' in topic '{}' from {} on",
                statement.queryId(),
                tenantId,
                stream,
                rows.below());
        version.renew(stream);
        Unflushed unflushed = unflushed(version, tenantId, stream, rows, limits);
        if (!unflushed.isEmpty()) {
            catalog.requestFlush(tenantId, stream, unflushed.ends(rows));
        }
        while (!unflushed.isEmpty()) {
            if (System.nanoTime() - started > timeout.toNanos()) {
                throw new QueryException(
                        QueryError.FLUSH_TIMEOUT,
                        "No row was deleted: %s, and the ingest job has not flushed them within %s"
                                .formatted(unflushed.description(tenantId, stream), timeout));
            }
            pause();
            version.renew(stream);
            unflushed = unflushed(version, tenantId, stream, rows, limits);
        }
        version.limitTo(tenantId, stream, rows.below());
    }

    /**
     * The places that may still hold rows that are in no LogBlock.
     *
     * @param spans offsets of the stream's topic
     * @param earlier partitions of topics that the stream had before
     */
    private record Unflushed(List<OffsetSpan> spans, Set<PartitionId> earlier) {
        boolean isEmpty() {
            return spans.isEmpty() && earlier.isEmpty();
        }

        /** The offsets up to which a flush is needed. */
        TableOffsets ends(AcknowledgedRows rows) {
            Map<PartitionId, Long> offsets = new HashMap<>();
            for (OffsetSpan span : spans) {
                String topicId = rows.end().orElseThrow().topicId();
                offsets.merge(new PartitionId(topicId, span.partition()), span.to(), Math::max);
            }
            earlier.forEach(partition -> offsets.put(partition, TableOffsets.END));
            return TableOffsets.of(offsets);
        }

        String description(String tenantId, String stream) {
            if (spans.isEmpty()) {
                return "rows of tenant '%s' from topic '%s' before it was deleted or recreated may not be flushed yet"
                        .formatted(tenantId, stream);
            }
            return "rows of tenant '%s' in partitions %s of topic '%s' are still in Kafka"
                    .formatted(tenantId, partitions(spans), stream);
        }
    }

    private static Unflushed unflushed(
            QuerySnapshot version, String tenantId, String stream, AcknowledgedRows rows, ReadLimits limits) {
        TableOffsets inTable = tableOffsets(version, tenantId, stream);
        List<OffsetSpan> spans = rows.end()
                .map(end -> version.spansWithRows(tenantId, end, limits))
                .orElse(List.of());
        return new Unflushed(spans, rows.unfinished(version.archivedThrough(stream), inTable));
    }

    private static TableOffsets tableOffsets(QuerySnapshot version, String tenantId, String stream) {
        return version.table(tenantId, stream).map(TableVersion::offsets).orElse(TableOffsets.NONE);
    }

    private static String partitions(List<OffsetSpan> hot) {
        return hot.stream()
                .map(OffsetSpan::partition)
                .distinct()
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryError.KAFKA_ERROR, "Interrupted while rows were flushed; no row was deleted", e);
        }
    }
}

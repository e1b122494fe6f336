package io.cordwood.trino;

import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_KAFKA_ERROR;

import com.google.inject.Inject;
import io.cordwood.catalog.PartitionId;
import io.cordwood.catalog.TableOffsets;
import io.cordwood.hot.OffsetSpan;
import io.cordwood.hot.ReadLimits;
import io.cordwood.hot.TailVersion;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Brings a tenant's rows from Kafka into LogBlocks, by asking the ingest job to flush them and waiting until it has.
 * Thread-safe.
 */
final class HotFlush {
    private static final long POLL_MILLIS = 500;

    private final CordwoodCatalog catalog;

    @Inject
    HotFlush(CordwoodCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Waits until all of a tenant's rows that are acknowledged now are in LogBlocks, and lets the transaction see a snapshot
     * that has them. At once if they are.
     *
     * @throws TrinoException CORDWOOD_KAFKA_ERROR if that takes longer than the session allows, or Kafka cannot be reached
     */
    void flush(ConnectorSession session, QueryVersion version, String tenantId, String stream) {
        ReadLimits limits = CordwoodSessionProperties.hotReadLimits(session);
        Duration patience = CordwoodSessionProperties.deleteFlushTimeout(session);
        Optional<TailVersion> end = version.endNow(stream);
        version.renew(stream);
        if (end.isEmpty()) {
            return;
        }
        long deadline = System.nanoTime() + patience.toNanos();
        List<OffsetSpan> hot = version.spansWithRows(tenantId, end.get(), limits);
        if (!hot.isEmpty()) {
            catalog.requestFlush(tenantId, stream, ends(end.get(), hot));
        }
        while (!hot.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new TrinoException(
                        CORDWOOD_KAFKA_ERROR,
                        "No row was deleted: rows of tenant '%s' in partitions %s of topic '%s' are still in Kafka, and the ingest job has not flushed them within %s. See by 'bin/cordwood status' whether it runs, and run the DELETE again, or raise the session property delete_flush_timeout"
                                .formatted(tenantId, partitions(hot), stream, patience));
            }
            pause();
            version.renew(stream);
            hot = version.spansWithRows(tenantId, end.get(), limits);
        }
    }

    private static TableOffsets ends(TailVersion end, List<OffsetSpan> hot) {
        Map<PartitionId, Long> offsets = new HashMap<>();
        for (OffsetSpan span : hot) {
            offsets.merge(new PartitionId(end.topicId(), span.partition()), span.to(), Math::max);
        }
        return TableOffsets.of(offsets);
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
            throw new TrinoException(CORDWOOD_KAFKA_ERROR, "Interrupted while rows were flushed; none was deleted", e);
        }
    }
}

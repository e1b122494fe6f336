package io.cordwood.catalog.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.iceberg.HistoryEntry;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadata.MetadataLogEntry;
import org.apache.iceberg.TableMetadataParser;

/**
 * Corrections of times in table metadata that lie in the future, because the writer's clock was ahead or the reader's
 * clock was set back. Stateless, thread-safe.
 *
 * <p>Iceberg refuses a commit more than a minute earlier than the previous one. So after a clock was hours ahead, no
 * commit would succeed for as many hours. So a time in the future counts as the present.
 */
public final class TableTimes {
    /** Half of Iceberg's tolerance; clocks of correctly set machines differ by less. */
    private static final Duration TOLERANCE = Duration.ofSeconds(30);

    private static final String LAST_UPDATED = "last-updated-ms";
    private static final String TIMESTAMP = "timestamp-ms";

    private TableTimes() {}

    /** The metadata with the present in place of future times; the same object if there are none. */
    static TableMetadata notAfter(long nowMillis, TableMetadata metadata) {
        if (latest(metadata) <= nowMillis + TOLERANCE.toMillis()) {
            return metadata;
        }
        ObjectNode json = object(TableMetadataParser.toJson(metadata));
        lower(json, LAST_UPDATED, nowMillis);
        for (String list : List.of("snapshots", "snapshot-log", "metadata-log")) {
            for (JsonNode entry : json.path(list)) {
                lower((ObjectNode) entry, TIMESTAMP, nowMillis);
            }
        }
        return TableMetadataParser.fromJson(metadata.metadataFileLocation(), json);
    }

    private static long latest(TableMetadata metadata) {
        LongStream history = LongStream.concat(
                metadata.snapshotLog().stream().mapToLong(HistoryEntry::timestampMillis),
                metadata.previousFiles().stream().mapToLong(MetadataLogEntry::timestampMillis));
        LongStream snapshots = metadata.snapshots().stream().mapToLong(Snapshot::timestampMillis);
        return LongStream.concat(history, snapshots).reduce(metadata.lastUpdatedMillis(), Math::max);
    }

    private static void lower(ObjectNode json, String member, long nowMillis) {
        if (json.path(member).asLong() > nowMillis) {
            json.put(member, nowMillis);
        }
    }

    /**
     * The metadata after a commit; snapshots from before it keep their earlier times. {@link #notAfter} replaces a
     * future time differently at each load, and Iceberg takes a snapshot with another time for another snapshot: it
     * would delete files that a live snapshot refers to.
     */
    static TableMetadata asBefore(TableMetadata before, TableMetadata after) {
        if (after.snapshots().stream()
                .allMatch(snapshot -> timeBefore(before, snapshot) == snapshot.timestampMillis())) {
            return after;
        }
        ObjectNode json = object(TableMetadataParser.toJson(after));
        for (JsonNode entry : json.path("snapshots")) {
            Snapshot snapshot = after.snapshot(entry.path("snapshot-id").asLong());
            ((ObjectNode) entry).put(TIMESTAMP, timeBefore(before, snapshot));
        }
        return TableMetadataParser.fromJson(after.metadataFileLocation(), json);
    }

    private static long timeBefore(TableMetadata before, Snapshot snapshot) {
        Snapshot same = before.snapshot(snapshot.snapshotId());
        return same == null ? snapshot.timestampMillis() : same.timestampMillis();
    }

    /** A snapshot to be committed, with the present as its time unless its time is already about that. */
    public static Snapshot committedAt(long nowMillis, Snapshot snapshot) {
        if (Math.abs(snapshot.timestampMillis() - nowMillis) <= TOLERANCE.toMillis()) {
            return snapshot;
        }
        ObjectNode json = object(SnapshotParser.toJson(snapshot)).put(TIMESTAMP, nowMillis);
        return SnapshotParser.fromJson(json.toString());
    }

    private static ObjectNode object(String json) {
        try {
            return (ObjectNode) Json.MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Iceberg wrote invalid JSON: " + json, e);
        }
    }
}

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
 * Times in the metadata of tables that were written by a clock that was ahead, or are read by one that was set back.
 * Stateless, thread-safe.
 *
 * <p>Iceberg takes no commit whose time is more than a minute before that of the one before it. Once a clock has been
 * ahead by hours, nothing could be committed for as many hours. So a time that has not come yet counts as the present
 * one.
 */
public final class TableTimes {
    /** Half of what Iceberg lets pass: clocks of machines that are in order differ by less. */
    private static final Duration TOLERANCE = Duration.ofSeconds(30);

    private static final String LAST_UPDATED = "last-updated-ms";
    private static final String TIMESTAMP = "timestamp-ms";

    private TableTimes() {}

    /** The metadata with the present in place of times to come; itself if there are none. */
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
     * The metadata after a commit; snapshots that were there before it keep the times that they had then. {@link
     * #notAfter} gives a time to come another value each time the table is loaded, and Iceberg takes a snapshot with
     * another time for another snapshot: it would delete files that a live snapshot refers to.
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

    /** A snapshot that is about to be committed, with the present as its time unless it has it already, about. */
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
            throw new IllegalArgumentException("Iceberg wrote what is not JSON: " + json, e);
        }
    }
}

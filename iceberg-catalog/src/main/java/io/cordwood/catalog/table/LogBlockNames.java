package io.cordwood.catalog.table;

import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of the objects that hold LogBlocks. Stateless, thread-safe.
 *
 * <p>{@code <table>/data/day=<yyyy-mm-dd>/<topicId>-<partition>-<from>-<to>-<unique>.parquet}: a LogBlock of the ingest
 * job. The name includes the label {@code [from, to)}, so that the orphan cleaner can delete an object only if its
 * label ends at or below the table offset.
 *
 * <p>{@code <table>/data/day=<yyyy-mm-dd>/merged-<created>-<unique>.parquet}: a LogBlock that compaction merged from
 * others. It has no label, as its rows come from many partitions. The name includes its time of creation, in epoch
 * milliseconds, so that the orphan cleaner need not trust the clock of the object store. With {@code dense-} instead of
 * {@code merged-} it has the {@linkplain DenseAfter dense layout}.
 */
public final class LogBlockNames {
    private static final String MERGED = "merged";
    private static final String DENSE = "dense";
    private static final Pattern NAME = Pattern.compile("(.+)-(\\d+)-(\\d+)-(\\d+)-[0-9a-f]+\\.parquet");

    private static final Pattern MERGED_NAME = Pattern.compile("(merged|dense)-(\\d{1,18})-[0-9a-f]+\\.parquet");

    private LogBlockNames() {}

    /** A new name for a LogBlock with rows of offsets {@code [from, to)} of one partition and one day. */
    public static String newLocation(String tableLocation, int epochDay, PartitionId partition, long from, long to) {
        return "%s/data/day=%s/%s-%d-%d-%d-%s.parquet"
                .formatted(
                        tableLocation,
                        LocalDate.ofEpochDay(epochDay),
                        partition.topicId(),
                        partition.partition(),
                        from,
                        to,
                        unique());
    }

    /**
     * A new name for a LogBlock of one day that compaction merges now.
     *
     * @param isDense whether it has the dense layout
     */
    public static String newMergedLocation(String tableLocation, int epochDay, boolean isDense) {
        return newMergedLocation(tableLocation, epochDay, isDense, System.currentTimeMillis());
    }

    public static String newMergedLocation(String tableLocation, int epochDay, boolean isDense, long createdMillis) {
        return "%s/data/day=%s/%s-%d-%s.parquet"
                .formatted(
                        tableLocation,
                        LocalDate.ofEpochDay(epochDay),
                        isDense ? DENSE : MERGED,
                        createdMillis,
                        unique());
    }

    private static String unique() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static String name(String location) {
        return location.substring(location.lastIndexOf('/') + 1);
    }

    /** Whether the object's folder is that of one day, as in the names of this class. */
    public static boolean isInFolderOfDay(String location) {
        return label(location).isPresent() || mergedMillis(location).isPresent();
    }

    /** A new name for a delete file of a table; it has no label. */
    public static String newDeletesLocation(String tableLocation) {
        return "%s/data/deletes/%s.parquet".formatted(tableLocation, unique());
    }

    /** The label in the name of an object; empty if the name is not from this class. */
    public static Optional<Label> label(String location) {
        Matcher name = NAME.matcher(name(location));
        if (!name.matches()) {
            return Optional.empty();
        }
        return Optional.of(new Label(
                new PartitionId(name.group(1), Integer.parseInt(name.group(2))),
                Long.parseLong(name.group(3)),
                Long.parseLong(name.group(4))));
    }

    /** Time when compaction named the object, in epoch milliseconds; empty if compaction did not name it. */
    public static OptionalLong mergedMillis(String location) {
        Matcher name = MERGED_NAME.matcher(name(location));
        return name.matches() ? OptionalLong.of(Long.parseLong(name.group(2))) : OptionalLong.empty();
    }

    /** Whether compaction wrote the object in the dense layout. */
    public static boolean isDense(String location) {
        Matcher name = MERGED_NAME.matcher(name(location));
        return name.matches() && name.group(1).equals(DENSE);
    }

    /**
     * The range of rows in an object.
     *
     * @param partition the partition they come from
     * @param from first offset
     * @param to first offset past them
     */
    public record Label(PartitionId partition, long from, long to) {}
}

package io.cordwood.catalog;

import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of the objects that hold LogBlocks. Stateless, thread-safe.
 *
 * <p>{@code <table>/data/day=<yyyy-mm-dd>/<topicId>-<partition>-<from>-<to>-<unique>.parquet}: the label
 * {@code [from, to)} stands in the name, so that an orphan cleaner (not built yet) can take
 * an object only if its label ends at or below O.
 */
public final class LogBlockNames {
    private static final Pattern NAME = Pattern.compile("(.+)-(\\d+)-(\\d+)-(\\d+)-[0-9a-f]+\\.parquet");

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
                        UUID.randomUUID().toString().replace("-", ""));
    }

    /** A new name for a file that tells deleted rows of a table; it bears no label. */
    static String newDeletesLocation(String tableLocation) {
        return "%s/data/deletes/%s.parquet"
                .formatted(tableLocation, UUID.randomUUID().toString().replace("-", ""));
    }

    /** The label in the name of an object; empty if it was not named here. */
    public static Optional<Label> label(String location) {
        Matcher name = NAME.matcher(location.substring(location.lastIndexOf('/') + 1));
        if (!name.matches()) {
            return Optional.empty();
        }
        return Optional.of(new Label(
                new PartitionId(name.group(1), Integer.parseInt(name.group(2))),
                Long.parseLong(name.group(3)),
                Long.parseLong(name.group(4))));
    }

    /**
     * Which rows an object holds.
     *
     * @param partition the partition they come from
     * @param from first offset
     * @param to first offset past them
     */
    public record Label(PartitionId partition, long from, long to) {}
}

package io.cordwood.record.buffer;

import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The members that need no further request to a tenant's table: each has its column, or cannot have one. Immutable.
 *
 * <p>Each tenant with buffered rows has one, so it takes about four bytes for each name: a hash. If two names share a
 * hash, the column of the second comes only with the next flush.
 */
public final class SettledMembers {
    /** Nothing is settled. */
    public static final SettledMembers NONE = new SettledMembers(new int[0], new int[0], false);

    /**
     * Limit of the names that are kept from earlier requests and have no column: a record may bring any number of them.
     */
    private static final int MAX_NAMES = 1024;

    /** Hashes of names, ascending. */
    private final int[] names;
    /** Hashes of the names whose bigint column has no twin yet, ascending. */
    private final int[] withoutTwin;

    private final boolean full;

    private SettledMembers(int[] names, int[] withoutTwin, boolean full) {
        this.names = names;
        this.withoutTwin = withoutTwin;
        this.full = full;
    }

    /**
     * The settled members of a table that was just asked for the columns of some members.
     *
     * @param full whether the table takes no further members
     */
    public static SettledMembers of(LogBlockSchema table, boolean full, SeenMembers asked) {
        int[] columns =
                table.columns().stream().mapToInt(column -> hash(column.name())).toArray();
        int[] requested = asked.names().mapToInt(SettledMembers::hash).toArray();
        int[] before = asked.settled().names;
        boolean isTooMuch = before.length + requested.length > MAX_NAMES;
        int[] names =
                sorted(IntStream.of(columns), IntStream.of(requested), IntStream.of(isTooMuch ? new int[0] : before));
        int[] withoutTwin = sorted(table.columns().stream()
                .filter(column -> column.type() == ColumnType.BIGINT)
                .map(Column::name)
                .filter(name -> table.column(ColumnNames.doubleTwin(name)).isEmpty())
                .filter(name -> !ColumnNames.isReserved(name) && !asked.exceedsBigint(name))
                .mapToInt(SettledMembers::hash));
        return new SettledMembers(names, withoutTwin, full);
    }

    private static int[] sorted(IntStream... parts) {
        return Arrays.stream(parts)
                .flatMapToInt(part -> part)
                .sorted()
                .distinct()
                .toArray();
    }

    private static int hash(String name) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        return (int) ((hash ^ hash >>> 32) * 0x9E3779B97F4A7C15L >>> 32);
    }

    /** Whether values of this kind are settled, whatever their member. */
    boolean isSettled(ValueKind kind) {
        return kind == ValueKind.NON_FINITE || (full && !kind.exceedsBigint());
    }

    boolean isSettled(String name, ValueKind kind) {
        if (isSettled(kind)) {
            return true;
        }
        int hash = hash(name);
        boolean lacksTwin = kind.exceedsBigint() && Arrays.binarySearch(withoutTwin, hash) >= 0;
        return full || Arrays.binarySearch(names, hash) >= 0 ? !lacksTwin : ColumnNames.isReserved(name);
    }
}

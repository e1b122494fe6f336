package io.cordwood.record.assemble;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.record.buffer.EventTime;
import io.cordwood.record.buffer.TextLane;
import io.cordwood.record.buffer.ValueKind;
import io.cordwood.record.json.JsonNumbers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts members to vectors of a column's type; sends values that do not fit the type to {@code attributes}. Not
 * thread-safe.
 */
final class TypedColumns {
    private final int rows;
    private final Attributes attributes;
    private final Map<String, Long> degraded = new HashMap<>();

    TypedColumns(int rows, Attributes attributes) {
        this.rows = rows;
        this.attributes = attributes;
    }

    /** Number of values that a column did not keep, or not exactly, by member name. */
    Map<String, Long> degraded() {
        return degraded;
    }

    /**
     * The vector of a column that is no twin.
     *
     * @param hasTwin whether a bigint column has a twin, which takes the values of {@link #twin}
     */
    Vector column(String name, ColumnType type, boolean hasTwin, List<MemberValues> members) {
        return switch (type) {
            case VARCHAR -> VarcharColumns.vector(rows, members);
            case BIGINT -> bigint(name, hasTwin, members);
            case DOUBLE -> doubles(name, members, false);
            case BOOLEAN -> booleans(name, members);
            case TIMESTAMP -> timestamps(name, members);
            case MAP ->
                throw new IllegalArgumentException(
                        "Column '%s' is a map; only attributes can be a map".formatted(name));
        };
    }

    /** The twin of a bigint column: the numbers that a bigint cannot hold. */
    Vector twin(String bigintColumn, List<MemberValues> members) {
        return doubles(bigintColumn, members, true);
    }

    private Vector bigint(String name, boolean hasTwin, List<MemberValues> members) {
        long[] values = new long[rows];
        Presence presence = new Presence(rows);
        for (MemberValues member : members) {
            boolean allIntegers = member.isAll(ValueKind.INTEGER);
            for (int i = 0; i < member.count(); i++) {
                int position = member.position(i);
                if (position < 0) {
                    continue;
                }
                ValueKind kind = allIntegers ? ValueKind.INTEGER : member.kind(i);
                if (kind == ValueKind.INTEGER) {
                    values[position] = member.bits(i);
                    presence.set(position);
                } else if (!hasTwin || (kind != ValueKind.FRACTION && kind != ValueKind.BIG_INTEGER)) {
                    refuse(name, member, i, position);
                }
            }
        }
        return new LongVector(values, rows, presence.toNulls());
    }

    private Vector doubles(String name, List<MemberValues> members, boolean twin) {
        double[] values = new double[rows];
        Presence presence = new Presence(rows);
        for (MemberValues member : members) {
            for (int i = 0; i < member.count(); i++) {
                int position = member.position(i);
                if (position < 0) {
                    continue;
                }
                ValueKind kind = member.kind(i);
                if (kind == ValueKind.FRACTION || kind == ValueKind.BIG_INTEGER) {
                    double value = member.toDouble(i);
                    boolean finite = Double.isFinite(value);
                    if (finite) {
                        values[position] = value;
                        presence.set(position);
                    }
                    if (!finite || kind == ValueKind.BIG_INTEGER) {
                        refuse(name, member, i, position);
                    }
                } else if (!twin && kind == ValueKind.INTEGER) {
                    values[position] = member.bits(i);
                    presence.set(position);
                    if (!JsonNumbers.isExact(member.bits(i))) {
                        refuse(name, member, i, position);
                    }
                } else if (!twin) {
                    refuse(name, member, i, position);
                }
            }
        }
        return new DoubleVector(values, rows, presence.toNulls());
    }

    private Vector booleans(String name, List<MemberValues> members) {
        boolean[] values = new boolean[rows];
        Presence presence = new Presence(rows);
        for (MemberValues member : members) {
            for (int i = 0; i < member.count(); i++) {
                int position = member.position(i);
                if (position < 0) {
                    continue;
                }
                if (member.kind(i) == ValueKind.BOOLEAN) {
                    values[position] = member.bits(i) != 0;
                    presence.set(position);
                } else {
                    refuse(name, member, i, position);
                }
            }
        }
        return new BooleanVector(values, rows, presence.toNulls());
    }

    private Vector timestamps(String name, List<MemberValues> members) {
        long[] values = new long[rows];
        Presence presence = new Presence(rows);
        for (MemberValues member : members) {
            for (int i = 0; i < member.count(); i++) {
                int position = member.position(i);
                if (position < 0) {
                    continue;
                }
                long micros = timestamp(member, i);
                if (micros == EventTime.NONE) {
                    refuse(name, member, i, position);
                } else {
                    values[position] = micros;
                    presence.set(position);
                }
            }
        }
        return new LongVector(values, rows, presence.toNulls());
    }

    private static long timestamp(MemberValues member, int index) {
        return switch (member.kind(index)) {
            case INTEGER -> EventTime.ofInteger(member.bits(index));
            case TEXT, FRACTION, BIG_INTEGER -> {
                TextLane text = member.text();
                int slot = text.slot(index);
                int from = text.slotStart(slot);
                int to = text.slotEnd(slot);
                yield member.kind(index) == ValueKind.TEXT
                        ? EventTime.ofText(text.bytes(), from, to)
                        : EventTime.ofNumber(text.bytes(), from, to);
            }
            case JSON, BOOLEAN, NON_FINITE -> EventTime.NONE;
        };
    }

    /** Sends the values of a member that has no column to {@code attributes}. */
    void refuseAll(String name, MemberValues member) {
        byte[] key = name.getBytes(UTF_8);
        long refused = 0;
        for (int i = 0; i < member.count(); i++) {
            int position = member.position(i);
            if (position >= 0) {
                member.withText(i, (bytes, from, to) -> attributes.add(position, key, bytes, from, to));
                refused++;
            }
        }
        count(name, refused);
    }

    private void refuse(String name, MemberValues member, int index, int position) {
        byte[] key = name.getBytes(UTF_8);
        member.withText(index, (bytes, from, to) -> attributes.add(position, key, bytes, from, to));
        count(name, 1);
    }

    void count(String name, long values) {
        if (values > 0) {
            boolean counted = degraded.size() < AssembledRows.MAX_COUNTED || degraded.containsKey(name);
            degraded.merge(counted ? name : AssembledRows.OTHER_MEMBERS, values, Long::sum);
        }
    }
}

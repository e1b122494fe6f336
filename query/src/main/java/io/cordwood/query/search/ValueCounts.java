package io.cordwood.query.search;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.scan.Vectors;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts of rows by a column's value. It keeps a bounded number of values: beyond it, those with the fewest rows are
 * dropped, and the counts become lower bounds. Not thread-safe.
 */
final class ValueCounts {
    /** The maximum number of values that are kept. */
    static final int MAX_VALUES = 100_000;

    /** A dictionary with at most so many values for each row is counted by id. */
    private static final int IDS_PER_ROW = 64;

    private static final int ENTRY_BYTES = 100;
    private static final long MAX_BYTES = 16 << 20;

    private final ColumnType type;
    private final int maxValues;
    private final long maxBytes;
    private final Map<String, Long> counts = new HashMap<>();
    /** Counts that are not in {@link #counts} yet. */
    private Optional<IdCounts> byId = Optional.empty();

    private long bytes;
    private long nulls;
    private boolean isApproximate;

    ValueCounts(ColumnType type) {
        this(type, MAX_VALUES, MAX_BYTES);
    }

    ValueCounts(ColumnType type, int maxValues, long maxBytes) {
        this.type = type;
        this.maxValues = maxValues;
        this.maxBytes = maxBytes;
    }

    /** Adds the values at the positions {@code [from, to)}. */
    void add(Vector vector, int from, int to) {
        if (vector instanceof StringVector strings && strings.isDictionary()) {
            int slots = strings.offsets().length - 1;
            boolean isKnown = byId.isPresent() && byId.get().isOf(strings);
            if (isKnown || slots <= (long) IDS_PER_ROW * (to - from)) {
                addIds(strings, from, to);
                return;
            }
        }
        for (int i = from; i < to; i++) {
            if (vector.isNull(i)) {
                nulls++;
            } else {
                add(text(vector, i), 1);
            }
        }
    }

    private String text(Vector vector, int position) {
        // Equal numbers are one value, as for GROUP BY: adding 0.0 turns -0.0 into 0.0
        return vector instanceof DoubleVector doubles
                ? Double.toString(doubles.values()[position] + 0.0)
                : Vectors.text(vector, type, position);
    }

    private void addIds(StringVector strings, int from, int to) {
        if (byId.isEmpty() || !byId.get().isOf(strings)) {
            resolveIds();
            byId = Optional.of(new IdCounts(strings));
        }
        nulls += byId.get().add(strings, from, to);
    }

    private void resolveIds() {
        Optional<IdCounts> ids = byId;
        byId = Optional.empty();
        ids.ifPresent(known -> known.forEach(this::add));
    }

    private void add(String value, long rows) {
        if (counts.merge(value, rows, Long::sum) == rows) {
            bytes += ENTRY_BYTES + 2L * value.length();
        }
        if (counts.size() > maxValues || bytes > maxBytes) {
            dropRareValues();
        }
    }

    private void dropRareValues() {
        isApproximate = true;
        List<ValueCount> kept = most(Math.max(1, counts.size() / 2));
        counts.clear();
        bytes = 0;
        for (ValueCount count : kept) {
            String value = count.value().orElseThrow();
            counts.put(value, count.rows());
            bytes += ENTRY_BYTES + 2L * value.length();
        }
    }

    /** Adds counts of rows that this does not have. */
    void add(ValueCounts others) {
        others.resolveIds();
        nulls += others.nulls;
        isApproximate |= others.isApproximate;
        others.counts.forEach(this::add);
    }

    /** The values with the most rows, most frequent first; those with equally many in their order. */
    List<ValueCount> most(int limit) {
        resolveIds();
        return counts.entrySet().stream()
                .map(entry -> new ValueCount(Optional.of(entry.getKey()), entry.getValue()))
                .sorted(ORDER)
                .limit(limit)
                .toList();
    }

    static final Comparator<ValueCount> ORDER = Comparator.comparingLong(ValueCount::rows)
            .reversed()
            .thenComparing(count -> count.value().orElse(""));

    long nulls() {
        return nulls;
    }

    int values() {
        resolveIds();
        return counts.size();
    }

    boolean isApproximate() {
        resolveIds();
        return isApproximate;
    }
}

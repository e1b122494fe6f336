package io.cordwood.logblock.parquet;

import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values of a column for some rows, in parts. Those of an optional text column may be pages of other files; then
 * the column has no dictionary. Immutable.
 *
 * @param parts at least one
 */
public record ColumnValues(List<ColumnPart> parts) {
    public ColumnValues {
        parts = List.copyOf(parts);
    }

    public static ColumnValues of(Vector vector) {
        return new ColumnValues(List.of(new ColumnPart.InMemory(vector)));
    }

    /** The values of one batch of rows after the other. Neighbours in memory become one part, not small pages. */
    public static ColumnValues concat(List<ColumnValues> batches) {
        List<ColumnPart> joined = new ArrayList<>();
        List<Vector> neighbours = new ArrayList<>();
        for (ColumnValues batch : batches) {
            for (ColumnPart part : batch.parts) {
                switch (part) {
                    case ColumnPart.InMemory values -> neighbours.add(values.vector());
                    case ColumnPart.Pages pages -> {
                        join(neighbours, joined);
                        joined.add(pages);
                    }
                }
            }
        }
        join(neighbours, joined);
        return new ColumnValues(joined);
    }

    private static void join(List<Vector> neighbours, List<ColumnPart> joined) {
        if (!neighbours.isEmpty()) {
            joined.add(new ColumnPart.InMemory(Vectors.concat(neighbours)));
            neighbours.clear();
        }
    }

    /** All values, if they are one part in memory. */
    public Optional<Vector> inMemory() {
        return parts.size() == 1 && parts.getFirst() instanceof ColumnPart.InMemory(Vector vector)
                ? Optional.of(vector)
                : Optional.empty();
    }

    public int rows() {
        return parts.stream().mapToInt(ColumnPart::rows).sum();
    }

    /** The approximate size of the values in bytes. */
    public long valueBytes() {
        return parts.stream().mapToLong(ColumnPart::valueBytes).sum();
    }
}

package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.StringDictionary;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.util.Optional;

/** Chooses the encoder of a column's values. Stateless. */
final class ValueEncoders {
    private ValueEncoders() {}

    static ValueEncoder of(Column column, Vector vector, Optional<StringDictionary> dictionary) {
        return switch (vector) {
            case LongVector longs -> new LongEncoder(longs, mostlyRising(column));
            case DoubleVector doubles -> new DoubleEncoder(doubles);
            case BooleanVector booleans -> new BooleanEncoder(booleans);
            case StringVector strings -> new StringEncoder(strings, dictionary, column.index() != IndexKind.TEXT);
            case MapVector _map -> throw new IllegalArgumentException("Column '%s' is a map".formatted(column.name()));
        };
    }

    /** Whether the column is a time or an offset: deltas are small, and a dictionary would never pay off. */
    private static boolean mostlyRising(Column column) {
        return column.name().equals(LogBlockSchema.TS) || column.name().equals(LogBlockSchema.KAFKA_OFFSET);
    }
}

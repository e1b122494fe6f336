package io.cordwood.trino.handle;

import static java.util.Objects.requireNonNull;

import io.cordwood.query.scan.TimeBin;
import io.cordwood.trino.type.SqlTypes;
import io.trino.spi.type.Type;

/**
 * A column with the histogram bin of the row's time. Immutable.
 *
 * @param bin the bin
 */
public record TimeBinColumnHandle(TimeBin bin) implements CordwoodColumnHandle {
    public TimeBinColumnHandle {
        requireNonNull(bin, "bin is null");
    }

    @Override
    public String name() {
        return "$bin:" + bin.encode();
    }

    @Override
    public Type type() {
        return SqlTypes.type(bin);
    }

    /** The text in {@code EXPLAIN}. */
    @Override
    public String toString() {
        return name() + ":" + type().getDisplayName();
    }
}

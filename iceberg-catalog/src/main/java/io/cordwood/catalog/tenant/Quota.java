package io.cordwood.catalog.tenant;

import java.util.OptionalLong;

/**
 * How fast a tenant may send rows. Immutable.
 *
 * @param bytesPerSecond limit in bytes as they are sent, unpacked; empty: none
 * @param rowsPerSecond limit in rows; empty: none
 */
public record Quota(OptionalLong bytesPerSecond, OptionalLong rowsPerSecond) {
    /** No limit. */
    public static final Quota NONE = new Quota(OptionalLong.empty(), OptionalLong.empty());

    public Quota {
        requirePositive(bytesPerSecond, "bytes");
        requirePositive(rowsPerSecond, "rows");
    }

    private static void requirePositive(OptionalLong limit, String unit) {
        if (limit.isPresent() && limit.getAsLong() < 1) {
            throw new IllegalArgumentException(
                    "The quota is %d %s a second; it must be at least 1".formatted(limit.getAsLong(), unit));
        }
    }

    /** The same quota with another limit in bytes. */
    public Quota withBytesPerSecond(OptionalLong limit) {
        return new Quota(limit, rowsPerSecond);
    }

    /** The same quota with another limit in rows. */
    public Quota withRowsPerSecond(OptionalLong limit) {
        return new Quota(bytesPerSecond, limit);
    }
}

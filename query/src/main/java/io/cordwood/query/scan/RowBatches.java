package io.cordwood.query.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Rows of one LogBlock, found batch by batch on demand. Not thread-safe. */
@FunctionalInterface
interface RowBatches {
    /** The ascending rows of the next batch, possibly none; empty at the end. */
    Optional<int[]> next() throws IOException;

    /** Limits rows to the first ones, up to a number. */
    static RowBatches limited(RowBatches rows, long limit) {
        long[] missing = {limit};
        return () -> {
            if (missing[0] == 0) {
                return Optional.empty();
            }
            Optional<int[]> next = rows.next()
                    .map(found -> found.length <= missing[0] ? found : Arrays.copyOf(found, (int) missing[0]));
            missing[0] -= next.map(found -> found.length).orElse(0);
            return next;
        };
    }
}

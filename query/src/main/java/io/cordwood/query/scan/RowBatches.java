package io.cordwood.query.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Rows of one LogBlock, found stretch by stretch as they are asked for. Not thread-safe. */
@FunctionalInterface
interface RowBatches {
    /** Ascending rows of the next stretch, possibly none; empty at the end. */
    Optional<int[]> next() throws IOException;

    /** At most so many of the rows, whichever come first. */
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

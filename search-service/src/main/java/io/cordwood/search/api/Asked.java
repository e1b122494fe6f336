package io.cordwood.search.api;

import io.cordwood.catalog.access.Caller;
import io.cordwood.query.search.TableScan;
import io.cordwood.query.table.TableVersion;
import java.util.function.BooleanSupplier;

/**
 * What a question is asked about.
 *
 * @param caller who asks
 * @param scan scans of the stream's table
 * @param cursors writes and reads cursors
 * @param mayStill whether the caller may still read the stream, for long answers
 * @param begun when the request came, by {@link System#nanoTime}
 */
record Asked(Caller caller, TableScan scan, RowCursors cursors, BooleanSupplier mayStill, long begun) {
    TableVersion table() {
        return scan.table();
    }

    long nanos() {
        return System.nanoTime() - begun;
    }
}

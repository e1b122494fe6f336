package io.cordwood.benchmarks.peer;

import io.cordwood.benchmarks.data.BenchQuery;
import java.io.Closeable;
import java.io.IOException;
import java.sql.SQLException;

/** An engine that holds the rows and answers the queries of the set: Cordwood's or one that it is compared with. */
public interface Peer extends Closeable {
    /** Its name in figures. */
    String name();

    /** Runs a query once and reads the whole result. */
    Run ask(BenchQuery query) throws IOException, SQLException;

    @Override
    default void close() throws IOException {}

    /**
     * One run of a query.
     *
     * @param millis time from the request to the last row
     * @param bytes bytes read from storage; 0 if the engine does not report them
     */
    record Run(Answer answer, double millis, long bytes) {
        static Run since(long startNanos, Answer answer) {
            return new Run(answer, (System.nanoTime() - startNanos) / 1e6, 0);
        }
    }

    /**
     * The result of a query.
     *
     * @param rows rows returned, or for Q7 rows counted
     * @param checksum over the times returned, or for Q7 over the minutes of the rows counted; 0 if not computed
     */
    record Answer(long rows, long checksum) {
        static final Answer NOTHING = new Answer(0, 0);

        Answer plus(Answer other) {
            return new Answer(rows + other.rows, checksum + other.checksum);
        }

        /** The contribution of rows of the same value to the checksum, which does not depend on their order. */
        static long checksum(long value, long rows) {
            long mixed = (value ^ value >>> 31) * 0x9E3779B97F4A7C15L;
            return (mixed ^ mixed >>> 29) * rows;
        }
    }
}

package io.cordwood.query.search;

import io.cordwood.logblock.vector.LongVector;
import io.cordwood.query.scan.ColumnReader;
import io.cordwood.query.scan.ColumnReaders;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.scan.TimeBinRuns;
import java.io.IOException;
import java.util.Optional;

/** The histogram buckets of the rows of a LogBlock, a batch at a time. Not thread-safe. */
interface RowBuckets {
    /** The buckets of a LogBlock's rows: by runs where the LogBlock knows times of row ranges, else row by row. */
    static RowBuckets of(ColumnReaders readers, TimeBin bin) throws IOException {
        Optional<TimeBinRuns> runs = readers.runs(bin);
        return runs.isPresent() ? new OfRuns(runs.get()) : new OfTimes(readers.times(), bin);
    }

    /** Moves to a batch of rows, in ascending order. */
    void read(int[] rows, int from, int size) throws IOException;

    /** The start of the bucket of a row of the batch, in milliseconds since the epoch. */
    long start(int index) throws IOException;

    /** The end of the rows of the batch, from this row on, that are known to be in its bucket; exclusive. */
    int end(int index) throws IOException;

    /** Buckets of runs of rows. */
    final class OfRuns implements RowBuckets {
        private final TimeBinRuns runs;
        private int[] rows = {};
        private int from;
        private int size;

        private OfRuns(TimeBinRuns runs) {
            this.runs = runs;
        }

        @Override
        public void read(int[] rows, int from, int size) {
            this.rows = rows;
            this.from = from;
            this.size = size;
        }

        @Override
        public long start(int index) throws IOException {
            runs.seek(rows[from + index]);
            return runs.millis();
        }

        @Override
        public int end(int index) throws IOException {
            runs.seek(rows[from + index]);
            int end = index + 1;
            while (end < size && rows[from + end] < runs.end()) {
                end++;
            }
            return end;
        }
    }

    /** Buckets of each row's time. */
    final class OfTimes implements RowBuckets {
        private final ColumnReader times;
        private final TimeBin bin;
        private long[] micros = {};

        private OfTimes(ColumnReader times, TimeBin bin) {
            this.times = times;
            this.bin = bin;
        }

        @Override
        public void read(int[] rows, int from, int size) throws IOException {
            micros = ((LongVector) times.read(rows, from, size)).values();
        }

        @Override
        public long start(int index) {
            return bin.millis(micros[index]);
        }

        @Override
        public int end(int index) {
            return index + 1;
        }
    }
}

package io.cordwood.query.scan;

import io.cordwood.logblock.scan.RowRange;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.plan.TopN;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The first or last n rows of a scan of one LogBlock in time order and, if requested, the rows with the same time as
 * the n-th. The search stops once they are found (TencentCLS, section 4.2). Not thread-safe.
 */
final class TopRows implements RowBatches {
    private final LogBlockRows rows;
    private final TopN topN;
    private final Optional<TopNBound> bound;
    private final ScannedLogBlock logBlock;
    private long missing;
    private Optional<RowBatches> ties = Optional.empty();

    /**
     * @param rows newest or oldest batch first, in the order of the top-n
     * @param bound records the number of rows and the farthest time among them
     * @param logBlock the LogBlock of the rows
     */
    TopRows(LogBlockRows rows, TopN topN, Optional<TopNBound> bound, ScannedLogBlock logBlock) {
        this.rows = rows;
        this.topN = topN;
        this.bound = bound;
        this.logBlock = logBlock;
        this.missing = topN.count();
    }

    @Override
    public Optional<int[]> next() throws IOException {
        if (ties.isPresent()) {
            return ties.get().next();
        }
        if (missing == 0) {
            return Optional.empty();
        }
        Optional<int[]> found = rows.next();
        if (found.isEmpty()) {
            // The LogBlock's own bound costs no read
            reached(topN.count() - missing, topN.newest() ? logBlock.fromMicros() : logBlock.toMicros());
            return found;
        }
        if (found.get().length < missing) {
            missing -= found.get().length;
            return found;
        }
        return Optional.of(topN.newest() ? last(found.get()) : first(found.get()));
    }

    private int[] last(int[] found) throws IOException {
        int first = found.length - (int) missing;
        missing = 0;
        reached(found[first]);
        if (topN.withTies()) {
            RowRange tied = rows.sameTime(found[first]);
            while (first > 0 && found[first - 1] >= tied.from()) {
                first--;
            }
            int batchFrom = rows.batch().from();
            ties = Optional.of(rows.within(new RowRange(Math.min(tied.from(), batchFrom), batchFrom)));
        }
        return Arrays.copyOfRange(found, first, found.length);
    }

    private int[] first(int[] found) throws IOException {
        int end = (int) missing;
        missing = 0;
        reached(found[end - 1]);
        if (topN.withTies()) {
            RowRange tied = rows.sameTime(found[end - 1]);
            while (end < found.length && found[end] < tied.to()) {
                end++;
            }
            int batchTo = rows.batch().to();
            ties = Optional.of(rows.within(new RowRange(batchTo, Math.max(tied.to(), batchTo))));
        }
        return Arrays.copyOf(found, end);
    }

    private void reached(int row) throws IOException {
        if (bound.isPresent()) {
            reached(topN.count(), rows.time(row));
        }
    }

    private void reached(long rowCount, long micros) {
        if (rowCount > 0) {
            bound.ifPresent(shared -> shared.reached(rowCount, micros));
        }
    }
}

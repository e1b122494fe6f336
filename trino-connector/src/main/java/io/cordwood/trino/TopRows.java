package io.cordwood.trino;

import io.cordwood.logblock.RowRange;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The first or last n of the rows that a scan finds in one LogBlock in time order, and where asked for those of the same
 * time as the n-th: stops looking once they are found (TencentCLS, section 4.2). Not thread-safe.
 */
final class TopRows implements RowStretches {
    private final LogBlockRows rows;
    private final CordwoodTableHandle.TopN topN;
    private final Optional<TopNBound> bound;
    private long missing;
    private Optional<RowStretches> ties = Optional.empty();

    /**
     * @param rows newest or oldest stretch first, as the top n want them
     * @param bound told of the time of the n-th row
     */
    TopRows(LogBlockRows rows, CordwoodTableHandle.TopN topN, Optional<TopNBound> bound) {
        this.rows = rows;
        this.topN = topN;
        this.bound = bound;
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
        if (found.isEmpty() || found.get().length < missing) {
            missing -= found.map(rowsFound -> rowsFound.length).orElse(0);
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
            int stretchFrom = rows.stretch().from();
            ties = Optional.of(rows.within(new RowRange(Math.min(tied.from(), stretchFrom), stretchFrom)));
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
            int stretchTo = rows.stretch().to();
            ties = Optional.of(rows.within(new RowRange(stretchTo, Math.max(tied.to(), stretchTo))));
        }
        return Arrays.copyOf(found, end);
    }

    private void reached(int row) throws IOException {
        if (bound.isPresent()) {
            bound.get().reached(rows.time(row));
        }
    }
}

package io.cordwood.query.search;

import io.cordwood.query.scan.LogBlockReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The rows that may be among the first n of a scan: those that are no farther than the n-th, with ties. It keeps little
 * more than twice as many. Thread-safe.
 */
final class RowCandidates implements TableScan.Visitor {
    private static final int SPARE_ROWS = 8192;

    private final TableScan scan;
    private final boolean newest;
    private final int count;
    private final List<RowSource> sources = new ArrayList<>();
    /** Bytes read of LogBlocks that are not finished. */
    private final LongAdder kept = new LongAdder();

    private long rows;
    private boolean hasDropped;

    /** @param count the number n */
    RowCandidates(TableScan scan, boolean newest, int count) {
        this.scan = scan;
        this.newest = newest;
        this.count = count;
    }

    @Override
    public void visit(LogBlockReader logBlock) throws IOException {
        Optional<RowSource> source =
                RowSource.of(logBlock, () -> scan.budget().check(kept.sum() + logBlock.bytesRead()));
        if (source.isEmpty()) {
            scan.finish(logBlock);
            return;
        }
        kept.add(logBlock.bytesRead());
        scan.budget().check(kept.sum());
        add(source.get());
    }

    private synchronized void add(RowSource source) {
        sources.add(source);
        rows += source.size();
        if (rows > 2L * count + SPARE_ROWS) {
            dropFarRows();
        }
    }

    private void dropFarRows() {
        if (rows <= count) {
            return;
        }
        long[] all = new long[Math.toIntExact(rows)];
        int size = 0;
        for (RowSource source : sources) {
            for (int i = 0; i < source.size(); i++) {
                all[size++] = source.micros(i);
            }
        }
        Arrays.sort(all);
        long bound = newest ? all[size - count] : all[count - 1];
        rows = 0;
        hasDropped = true;
        List<RowSource> empty = new ArrayList<>();
        for (RowSource source : sources) {
            source.drop(bound, newest);
            rows += source.size();
            if (source.size() == 0) {
                empty.add(source);
            }
        }
        sources.removeAll(empty);
        empty.forEach(this::finish);
    }

    private void finish(RowSource source) {
        kept.add(-source.bytesRead());
        scan.finish(source.reader());
    }

    /** Closes all LogBlocks, after a failure or because others are needed. */
    synchronized void finish() {
        sources.forEach(this::finish);
        sources.clear();
    }

    /** Whether these are all rows of the scan, since there are fewer than n. */
    synchronized boolean isAll() {
        return !hasDropped && rows < count;
    }

    /** The LogBlocks with these rows. */
    synchronized List<RowSource> sources() {
        dropFarRows();
        return List.copyOf(sources);
    }
}

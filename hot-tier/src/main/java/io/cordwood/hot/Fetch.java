package io.cordwood.hot;

import io.cordwood.hot.log.OffsetSpan;
import java.util.List;

/** How much a consumer asks Kafka for at a time. */
enum Fetch {
    /** Long runs of records. */
    RUNS(4 << 20, 16 << 20),
    /** Records here and there: what lies behind them is not wanted. */
    SINGLE_RECORDS(32 << 10, 1 << 20);

    private static final int FEW_OFFSETS = 64;

    private final int partitionBytes;
    private final int totalBytes;

    Fetch(int partitionBytes, int totalBytes) {
        this.partitionBytes = partitionBytes;
        this.totalBytes = totalBytes;
    }

    /** What suits these spans. */
    static Fetch of(List<OffsetSpan> spans) {
        long offsets = spans.stream().mapToLong(OffsetSpan::length).sum();
        return offsets < (long) FEW_OFFSETS * spans.size() ? SINGLE_RECORDS : RUNS;
    }

    /** Bytes of one partition in an answer. */
    int partitionBytes() {
        return partitionBytes;
    }

    /** Bytes of an answer. */
    int totalBytes() {
        return totalBytes;
    }
}

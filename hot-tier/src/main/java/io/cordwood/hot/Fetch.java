package io.cordwood.hot;

import io.cordwood.hot.log.OffsetSpan;
import java.util.List;

/** How much a consumer requests from Kafka at a time. */
enum Fetch {
    /** Long ranges of records. */
    RUNS(4 << 20, 16 << 20),
    /** Scattered records; the records behind them are not needed. */
    SINGLE_RECORDS(32 << 10, 1 << 20);

    private static final int FEW_OFFSETS = 64;

    private final int partitionBytes;
    private final int totalBytes;

    Fetch(int partitionBytes, int totalBytes) {
        this.partitionBytes = partitionBytes;
        this.totalBytes = totalBytes;
    }

    /** The fetch size that suits these spans. */
    static Fetch of(List<OffsetSpan> spans) {
        long offsets = spans.stream().mapToLong(OffsetSpan::length).sum();
        return offsets < (long) FEW_OFFSETS * spans.size() ? SINGLE_RECORDS : RUNS;
    }

    /** Bytes of one partition in a response. */
    int partitionBytes() {
        return partitionBytes;
    }

    /** Bytes of a response. */
    int totalBytes() {
        return totalBytes;
    }
}

package io.cordwood.benchmarks.logblock;

import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Local files that behave like an object store: each call waits. The requests of one call are sent together; ranges
 * near one another are one request. Thread-safe.
 */
final class SimulatedStore implements EnginePeer.Storage {
    /** The gap within which the connector merges ranges. */
    private static final int MAX_GAP = 16 << 10;

    private static final int MAX_MERGED = 8 << 20;

    private final Duration latency;
    private final long bytesPerSecond;
    private long requests;
    private long bytes;
    private long roundTrips;
    private long roundTripEnds = Long.MIN_VALUE;

    /**
     * Creates a store.
     *
     * @param latency latency of a request
     * @param bytesPerSecond throughput of a call
     */
    SimulatedStore(Duration latency, long bytesPerSecond) {
        this.latency = latency;
        this.bytesPerSecond = bytesPerSecond;
    }

    @Override
    public RangeReader open(Path path) throws IOException {
        FileRangeReader file = new FileRangeReader(path);
        return new RangeReader() {
            @Override
            public String location() {
                return file.location();
            }

            @Override
            public long length() {
                return file.length();
            }

            @Override
            public List<byte[]> read(List<ByteRange> ranges) throws IOException {
                return SimulatedStore.this.read(file, ranges);
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    private List<byte[]> read(FileRangeReader file, List<ByteRange> ranges) throws IOException {
        List<ByteRange> merged = merge(ranges);
        long requestedBytes = merged.stream().mapToLong(ByteRange::length).sum();
        long wait = latency.toNanos() + requestedBytes * 1_000_000_000L / bytesPerSecond;
        begin(System.nanoTime(), wait, merged.size(), requestedBytes);
        try {
            Thread.sleep(Duration.ofNanos(wait));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(file.location());
        }
        List<byte[]> read = file.read(merged);
        List<byte[]> result = new ArrayList<>(ranges.size());
        int at = 0;
        for (ByteRange range : ranges) {
            while (at + 1 < merged.size()
                    && range.offset() >= merged.get(at + 1).offset()) {
                at++;
            }
            int from = (int) (range.offset() - merged.get(at).offset());
            result.add(Arrays.copyOfRange(read.get(at), from, from + range.length()));
        }
        return result;
    }

    /** A call that begins while another waits belongs to the same round trip. */
    synchronized void begin(long now, long wait, int count, long requestedBytes) {
        requests += count;
        bytes += requestedBytes;
        if (now >= roundTripEnds) {
            roundTrips++;
            roundTripEnds = now + wait;
        }
    }

    static List<ByteRange> merge(List<ByteRange> ranges) {
        List<ByteRange> merged = new ArrayList<>();
        for (ByteRange range : ranges) {
            ByteRange before = merged.isEmpty() ? null : merged.getLast();
            if (before != null
                    && range.offset() - before.end() <= MAX_GAP
                    && range.end() - before.offset() <= MAX_MERGED) {
                merged.set(merged.size() - 1, new ByteRange(before.offset(), (int) (range.end() - before.offset())));
            } else {
                merged.add(range);
            }
        }
        return merged;
    }

    synchronized long requests() {
        return requests;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Sequential waits, which determine the cost of latency. */
    synchronized long roundTrips() {
        return roundTrips;
    }
}

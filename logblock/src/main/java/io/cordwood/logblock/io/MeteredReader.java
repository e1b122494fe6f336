package io.cordwood.logblock.io;

import java.io.IOException;
import java.util.List;

/**
 * A reader that counts the reads of an open index in the metrics of the current call, because an index outlives the
 * call that opened it. Thread-safe.
 */
public final class MeteredReader implements RangeReader {
    private final RangeReader in;
    private final ThreadLocal<ReadMetrics> current = ThreadLocal.withInitial(ReadMetrics::new);

    public MeteredReader(RangeReader in) {
        this.in = in;
    }

    /** Work that reads. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Does the work and counts its reads. */
    public <T> T metered(ReadMetrics metrics, Work<T> work) throws IOException {
        current.set(metrics);
        try {
            return work.run();
        } finally {
            current.remove();
        }
    }

    @Override
    public String location() {
        return in.location();
    }

    @Override
    public long length() throws IOException {
        return in.length();
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) throws IOException {
        ReadMetrics metrics = current.get();
        metrics.requests.increment();
        ranges.forEach(range -> metrics.bytesRead.add(range.length()));
        return in.read(ranges, metrics);
    }
}

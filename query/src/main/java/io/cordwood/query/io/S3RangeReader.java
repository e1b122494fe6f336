package io.cordwood.query.io;

import com.google.common.base.Throwables;
import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A reader of an object in an S3 store. It reads ranges that lie near one another at once, others in parallel.
 * Thread-safe.
 */
public final class S3RangeReader implements RangeReader {
    /** The largest gap between ranges that is faster to read than another request. */
    private static final int MAX_GAP = 256 << 10;

    private static final int MAX_MERGED = 8 << 20;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final S3Reads reads;
    private final String location;
    private final long length;

    /**
     * Creates a reader of an object.
     *
     * @param length length of the object in bytes, from the table's metadata
     */
    public S3RangeReader(S3Reads reads, String location, long length) {
        this.reads = reads;
        this.location = location;
        this.length = length;
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) throws IOException {
        return read(ranges, new ReadMetrics());
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges, ReadMetrics metrics) throws IOException {
        List<MergedRange> merged = MergedRange.of(ranges, MAX_GAP, MAX_MERGED);
        List<Future<byte[]>> reading = new ArrayList<>(merged.size());
        try {
            for (MergedRange range : merged) {
                reading.add(reads.read(location, range.offset(), range.length(), metrics));
            }
            List<byte[]> result = new ArrayList<>(ranges.size());
            for (int i = 0; i < merged.size(); i++) {
                result.addAll(merged.get(i).split(result(merged.get(i), reading.get(i))));
            }
            return result;
        } finally {
            // If one read fails, the others are of no use.
            reading.forEach(read -> read.cancel(true));
        }
    }

    private byte[] result(MergedRange range, Future<byte[]> read) throws IOException {
        try {
            return read.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        } catch (ExecutionException e) {
            throw failure(range, e.getCause());
        }
    }

    private IOException failure(MergedRange range, Throwable cause) {
        String what = "cannot read bytes %d to %d of %s from %s"
                .formatted(range.offset(), range.end(), location, reads.storeName());
        if (cause instanceof NoSuchKeyException) {
            return with(new FileNotFoundException(what + ": there is no such object"), cause);
        }
        if (cause instanceof S3Exception refused) {
            return switch (refused.statusCode()) {
                case RANGE_NOT_SATISFIABLE ->
                    with(new EOFException(what + ": it ends before, though the table says otherwise"), cause);
                case FORBIDDEN ->
                    new IOException(
                            what + ": " + refused.getMessage()
                                    + "; give Trino's process credentials (AWS_ACCESS_KEY_ID and so on, or a profile) that may read the bucket",
                            cause);
                case NOT_FOUND ->
                    new IOException(what + ": " + refused.getMessage() + "; is there such a bucket?", cause);
                default -> new IOException(what + ": " + refused.getMessage(), cause);
            };
        }
        if (Throwables.getCausalChain(cause).stream().anyMatch(S3Reads.ShortObjectException.class::isInstance)) {
            return with(new EOFException(what + ": it ends before, though the table says otherwise"), cause);
        }
        return new IOException(what + ": " + cause.getMessage(), cause);
    }

    private static <E extends IOException> E with(E failure, Throwable cause) {
        failure.initCause(cause);
        return failure;
    }
}

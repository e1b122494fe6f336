package io.cordwood.logblock.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A source of the bytes of a LogBlock: an object store, a file, or a cache over either. Implementations are
 * thread-safe.
 */
public interface RangeReader extends Closeable {
    /** The object's location, for messages. */
    String location();

    /** The length of the object in bytes. */
    long length() throws IOException;

    /**
     * Reads ranges, which are sorted and do not overlap, into one array each. Implementations may merge nearby ranges
     * and fetch in parallel.
     */
    List<byte[]> read(List<ByteRange> ranges) throws IOException;

    /**
     * Reads ranges, and counts the requests and bytes of the underlying store, if it is one that charges by the
     * request.
     */
    default List<byte[]> read(List<ByteRange> ranges, ReadMetrics metrics) throws IOException {
        return read(ranges);
    }

    @Override
    default void close() throws IOException {}
}

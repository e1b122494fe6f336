package io.cordwood.logblock.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Where the bytes of a LogBlock come from: an object store, a file, a cache over either. Implementations are
 * thread-safe.
 */
public interface RangeReader extends Closeable {
    /** Name for messages: the object's location. */
    String location();

    /** Length of the object in bytes. */
    long length() throws IOException;

    /**
     * Reads the ranges, which are sorted and do not overlap; one array each. Implementations may merge near ones and
     * fetch in parallel.
     */
    List<byte[]> read(List<ByteRange> ranges) throws IOException;

    /** The same, counting what it costs the store behind, where it is one that charges by the request. */
    default List<byte[]> read(List<ByteRange> ranges, ReadMetrics metrics) throws IOException {
        return read(ranges);
    }

    @Override
    default void close() throws IOException {}
}

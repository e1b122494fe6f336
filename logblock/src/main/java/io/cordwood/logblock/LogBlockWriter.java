package io.cordwood.logblock;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Writes one LogBlock. Not thread-safe.
 *
 * <p>Rows come in (ts, topic id, partition, offset, ordinal) order.
 */
public final class LogBlockWriter implements Closeable {
    public LogBlockWriter(OutputStream out, LogBlockSchema schema, LogBlockOptions options) {}

    /**
     * Adds rows.
     *
     * @param columns one vector for each column of the schema, in its order
     * @throws IllegalArgumentException if times go backwards or a required value is null
     */
    public void append(List<? extends Vector> columns, int rows) throws IOException {}

    /** Writes what is left, the index and the footer. The stream stays open. */
    public LogBlockSummary finish() throws IOException {
        return new LogBlockSummary(0, 0, 0, TimeRange.ALL, List.of(), java.util.Map.of());
    }

    /** Frees buffers; does not close the stream. */
    @Override
    public void close() {}
}

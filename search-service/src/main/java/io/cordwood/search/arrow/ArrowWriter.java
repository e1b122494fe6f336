package io.cordwood.search.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;

/**
 * Writes a stream of Arrow's IPC format, version 5: the schema, record batches, and the end of the stream. Our vectors
 * have Arrow's layout, so they are written as they are. Not thread-safe.
 *
 * @see <a href="https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format">IPC streaming format</a>
 */
public final class ArrowWriter {
    private static final int ALIGNMENT = 8;
    private static final int CONTINUATION = -1;
    private static final int NONE = 0;
    private static final byte[] PADDING = new byte[ALIGNMENT];

    private final OutputStream out;

    /**
     * Begins a stream with its schema.
     *
     * @param columns the columns of all batches
     * @param metadata metadata of the schema
     */
    public ArrowWriter(OutputStream out, List<ArrowColumn> columns, Map<String, String> metadata) throws IOException {
        this.out = out;
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int schema = ArrowSchema.write(builder, columns, metadata);
        writeMessage(builder, MessageHeader.Schema, schema, 0);
    }

    /** Writes a batch with one vector for each column, all of the same length. */
    public void write(List<Vector> vectors) throws IOException {
        ArrowBody body = ArrowBody.of(vectors);
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int batch = body.writeRecordBatch(builder, vectors.getFirst().length());
        writeMessage(builder, MessageHeader.RecordBatch, batch, body.size());
        for (ByteBuffer buffer : body.buffers()) {
            out.write(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
            pad(buffer.remaining());
        }
    }

    /** Ends the stream; the output remains open. */
    public void end() throws IOException {
        out.write(littleEndian(CONTINUATION, 0));
    }

    private void writeMessage(FlatBufferBuilder builder, byte type, int header, long bodyLength) throws IOException {
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, type, header, bodyLength, NONE));
        ByteBuffer metadata = builder.dataBuffer();
        int length = metadata.remaining();
        out.write(littleEndian(CONTINUATION, Math.toIntExact(padded(length))));
        out.write(metadata.array(), metadata.arrayOffset() + metadata.position(), length);
        pad(length);
    }

    private void pad(int length) throws IOException {
        out.write(PADDING, 0, (int) (padded(length) - length));
    }

    /** The length with padding to Arrow's alignment. */
    static long padded(long length) {
        return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    private static byte[] littleEndian(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }
}

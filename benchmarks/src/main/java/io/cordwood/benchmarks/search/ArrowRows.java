package io.cordwood.benchmarks.search;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;

/** Counts the rows of a stream of Arrow. Stateless. */
final class ArrowRows {
    private static final int CONTINUATION = -1;

    private ArrowRows() {}

    /** The rows of all batches. @throws IOException if the stream has no end */
    static long count(byte[] stream) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        long rows = 0;
        while (bytes.remaining() >= 2 * Integer.BYTES && bytes.getInt() == CONTINUATION) {
            int length = bytes.getInt();
            if (length == 0) {
                return rows;
            }
            Message message = Message.getRootAsMessage(bytes.slice(bytes.position(), length));
            if (message.headerType() == MessageHeader.RecordBatch) {
                rows += ((RecordBatch) message.header(new RecordBatch())).length();
            }
            bytes.position(bytes.position() + length + (int) message.bodyLength());
        }
        throw new IOException("the stream of Arrow breaks off");
    }
}

package io.cordwood.hot.fetch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.NoSuchElementException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteUtils;
import org.apache.kafka.common.utils.CloseableIterator;

/**
 * An iterator over the records of a batch that unpacks them one by one. A record declares its size before its bytes
 * follow. The iterator skips a record that is too large, and returns a {@link RefusedRecord} in its place. Not
 * thread-safe.
 */
final class BoundedIterator implements CloseableIterator<Record> {
    private static final String BEHIND_TOO_MUCH =
            "It follows records in its batch that unpack to more than %d bytes".formatted(RecordLimits.MAX_BATCH_BYTES);

    private final DefaultRecordBatch batch;
    private final InputStream in;
    private final int count;
    private int read;
    /** Bytes unpacked so far. */
    private long bytes;

    private long nextOffset;
    /** The reason not to read the rest of the batch; empty if it is read. */
    private String unread;

    BoundedIterator(DefaultRecordBatch batch, BufferSupplier buffers) {
        this.batch = batch;
        this.unread = unreadable(batch);
        this.in = unread.isEmpty() ? batch.recordInputStream(buffers) : InputStream.nullInputStream();
        this.count = batch.countOrNull();
        this.nextOffset = batch.baseOffset();
    }

    private static String unreadable(DefaultRecordBatch batch) {
        if (batch.compressionType() != CompressionType.SNAPPY) {
            return "";
        }
        ByteBuffer copy = ByteBuffer.allocate(batch.sizeInBytes());
        batch.writeTo(copy);
        long largest = SnappyBlocks.largest(copy.flip().position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD));
        return largest <= RecordLimits.MAX_SNAPPY_BYTES
                ? ""
                : "Its batch has a snappy block that unpacks to %d bytes; the limit is %d"
                        .formatted(largest, RecordLimits.MAX_SNAPPY_BYTES);
    }

    @Override
    public boolean hasNext() {
        return read < count;
    }

    @Override
    public Record next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        read++;
        try {
            Record next =
                    unread.isEmpty() ? readNext() : new RefusedRecord(batch, nextOffset, null, new Refusal(unread));
            nextOffset = next.offset() + 1;
            return next;
        } catch (EOFException | BufferUnderflowException | IllegalArgumentException e) {
            throw new InvalidRecordException(
                    "The batch at offset %d ends within a record".formatted(batch.baseOffset()), e);
        } catch (IOException e) {
            throw new KafkaException("Cannot unpack the batch at offset %d".formatted(batch.baseOffset()), e);
        }
    }

    private Record readNext() throws IOException {
        int size = ByteUtils.readVarint(in);
        if (size < 0) {
            throw new InvalidRecordException("A record has %d bytes".formatted(size));
        }
        return size > RecordLimits.MAX_BYTES ? passOver(size) : readWhole(size);
    }

    private Record readWhole(int size) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(RecordLimits.MAX_VARINT_BYTES + size);
        ByteUtils.writeVarint(size, buffer);
        int start = buffer.position();
        if (in.readNBytes(buffer.array(), start, size) < size) {
            throw new EOFException();
        }
        bytes += size;
        if (bytes > RecordLimits.MAX_BATCH_BYTES) {
            unread = BEHIND_TOO_MUCH;
        }
        buffer.limit(start + size);
        Head head = Head.of(buffer, batch.baseOffset());
        if (head.isTooLarge(size)) {
            return new RefusedRecord(batch, head.offset(), head.keptKey(buffer), head.refusal(size));
        }
        buffer.position(0);
        return DefaultRecord.readFrom(
                buffer,
                batch.baseOffset(),
                batch.baseTimestamp(),
                batch.baseSequence(),
                batch.timestampType() == TimestampType.LOG_APPEND_TIME ? batch.maxTimestamp() : null);
    }

    /** Reads the beginning of a record, and skips the rest if another record follows. */
    private Record passOver(int size) throws IOException {
        ByteBuffer beginning = ByteBuffer.wrap(in.readNBytes(1
                + RecordLimits.MAX_VARLONG_BYTES
                + 2 * RecordLimits.MAX_VARINT_BYTES
                + RecordLimits.MAX_KEPT_KEY_BYTES));
        beginning.get();
        ByteUtils.readVarlong(beginning);
        long offset = batch.baseOffset() + ByteUtils.readVarint(beginning);
        ByteBuffer key = keptKey(beginning);
        bytes += size;
        if (bytes > RecordLimits.MAX_BATCH_BYTES) {
            unread = BEHIND_TOO_MUCH;
        } else if (hasNext()) {
            in.skipNBytes(size - beginning.capacity());
        }
        return new RefusedRecord(
                batch,
                offset,
                key,
                new Refusal("It unpacks to %d bytes; the limit is %d".formatted(size, RecordLimits.MAX_BYTES)));
    }

    private static ByteBuffer keptKey(ByteBuffer at) {
        int size = ByteUtils.readVarint(at);
        return size < 0 || size > RecordLimits.MAX_KEPT_KEY_BYTES ? null : at.slice(at.position(), size);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new KafkaException("Cannot close the batch at offset %d".formatted(batch.baseOffset()), e);
        }
    }

    /**
     * The declared structure of a record.
     *
     * @param keyAt position of its key's size
     * @param headers number of headers
     */
    private record Head(long offset, int keyAt, boolean hasValue, int headers) {
        static Head of(ByteBuffer buffer, long baseOffset) {
            buffer.get();
            ByteUtils.readVarlong(buffer);
            long offset = baseOffset + ByteUtils.readVarint(buffer);
            int keyAt = buffer.position();
            skip(buffer);
            boolean hasValue = skip(buffer);
            return new Head(offset, keyAt, hasValue, Math.max(0, ByteUtils.readVarint(buffer)));
        }

        /**
         * Skips bytes with a length in front. Returns false if the length stands for null; an empty array is not null.
         */
        private static boolean skip(ByteBuffer buffer) {
            int size = ByteUtils.readVarint(buffer);
            if (size > 0) {
                buffer.position(Math.addExact(buffer.position(), size));
            }
            return size >= 0;
        }

        private long memory(int size) {
            return size + (long) headers * RecordLimits.HEADER_BYTES;
        }

        private int limit() {
            return hasValue ? RecordLimits.MAX_BYTES : RecordLimits.MAX_BYTES_WITHOUT_VALUE;
        }

        boolean isTooLarge(int size) {
            return memory(size) > limit();
        }

        ByteBuffer keptKey(ByteBuffer buffer) {
            ByteBuffer key = BoundedIterator.keptKey(buffer.position(keyAt));
            // Headers of a record that is not kept
            return key == null
                    ? null
                    : ByteBuffer.allocate(key.remaining()).put(key).flip();
        }

        Refusal refusal(int size) {
            return new Refusal("It takes %d bytes of memory, for %d bytes with %d headers%s; the limit is %d"
                    .formatted(memory(size), size, headers, hasValue ? "" : " and no value", limit()));
        }
    }
}

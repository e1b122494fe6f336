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
 * The records of a batch, unpacked one after the other as they are asked for. A record says how large it is before its
 * bytes come: what is too large is passed over, and a {@link RefusedRecord} stands for it. Not thread-safe.
 */
final class BoundedIterator implements CloseableIterator<Record> {
    private static final String BEHIND_TOO_MUCH =
            "It stands in a batch behind records that unpack to more than %d bytes"
                    .formatted(RecordLimits.MAX_BATCH_BYTES);

    private final DefaultRecordBatch batch;
    private final InputStream in;
    private final int count;
    private int read;
    /** Unpacked so far. */
    private long bytes;

    private long nextOffset;
    /** Why the rest of the batch is not read; empty if it is. */
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
                : "It stands in a batch with a block of snappy that unpacks to %d bytes; at most %d are taken"
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

    /** Reads the beginning of a record, and goes to the end of the rest if there is another record. */
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
                new Refusal("It unpacks to %d bytes; at most %d are taken".formatted(size, RecordLimits.MAX_BYTES)));
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
     * What a record says of itself.
     *
     * @param keyAt where its key's size stands
     * @param headers how many it has
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

        /** Goes behind some bytes, and tells whether there are any, were it none at all. */
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
            // Of a record that is not kept
            return key == null
                    ? null
                    : ByteBuffer.allocate(key.remaining()).put(key).flip();
        }

        Refusal refusal(int size) {
            return new Refusal("It takes %d bytes of memory, for %d bytes with %d headers%s; at most %d are taken"
                    .formatted(memory(size), size, headers, hasValue ? "" : " and no value", limit()));
        }
    }
}

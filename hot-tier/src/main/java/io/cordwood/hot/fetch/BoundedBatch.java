package io.cordwood.hot.fetch;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.OptionalLong;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;

/** A fetched batch that bounds its records while they are unpacked. */
record BoundedBatch(DefaultRecordBatch batch) implements RecordBatch {
    /** The minimum size of a header in a batch: its two lengths. */
    private static final int MIN_HEADER_BYTES = 2;

    /** Smaller uncompressed batches cannot hold enough headers to exceed the limit. */
    private static final int HARMLESS_BYTES =
            RecordLimits.MAX_BYTES_WITHOUT_VALUE / (1 + RecordLimits.HEADER_BYTES / MIN_HEADER_BYTES);

    /** The batch, bounded unless it cannot hold anything too large. */
    static RecordBatch of(RecordBatch batch) {
        return batch instanceof DefaultRecordBatch current && !current.isControlBatch() && mayHoldTooMuch(current)
                ? new BoundedBatch(current)
                : batch;
    }

    private static boolean mayHoldTooMuch(DefaultRecordBatch batch) {
        return batch.isCompressed() || batch.sizeInBytes() > HARMLESS_BYTES;
    }

    @Override
    public CloseableIterator<Record> streamingIterator(BufferSupplier decompressionBufferSupplier) {
        return new BoundedIterator(batch, decompressionBufferSupplier);
    }

    @Override
    public Iterator<Record> iterator() {
        return streamingIterator(BufferSupplier.NO_CACHING);
    }

    @Override
    public boolean isValid() {
        return batch.isValid();
    }

    @Override
    public void ensureValid() {
        batch.ensureValid();
    }

    @Override
    public long checksum() {
        return batch.checksum();
    }

    @Override
    public long maxTimestamp() {
        return batch.maxTimestamp();
    }

    @Override
    public TimestampType timestampType() {
        return batch.timestampType();
    }

    @Override
    public long baseOffset() {
        return batch.baseOffset();
    }

    @Override
    public long lastOffset() {
        return batch.lastOffset();
    }

    @Override
    public long nextOffset() {
        return batch.nextOffset();
    }

    @Override
    public byte magic() {
        return batch.magic();
    }

    @Override
    public long producerId() {
        return batch.producerId();
    }

    @Override
    public short producerEpoch() {
        return batch.producerEpoch();
    }

    @Override
    public boolean hasProducerId() {
        return batch.hasProducerId();
    }

    @Override
    public int baseSequence() {
        return batch.baseSequence();
    }

    @Override
    public int lastSequence() {
        return batch.lastSequence();
    }

    @Override
    public CompressionType compressionType() {
        return batch.compressionType();
    }

    @Override
    public int sizeInBytes() {
        return batch.sizeInBytes();
    }

    @Override
    public Integer countOrNull() {
        return batch.countOrNull();
    }

    @Override
    public boolean isCompressed() {
        return batch.isCompressed();
    }

    @Override
    public void writeTo(ByteBuffer buffer) {
        batch.writeTo(buffer);
    }

    @Override
    public boolean isTransactional() {
        return batch.isTransactional();
    }

    @Override
    public OptionalLong deleteHorizonMs() {
        return batch.deleteHorizonMs();
    }

    @Override
    public int partitionLeaderEpoch() {
        return batch.partitionLeaderEpoch();
    }

    @Override
    public boolean isControlBatch() {
        return batch.isControlBatch();
    }
}

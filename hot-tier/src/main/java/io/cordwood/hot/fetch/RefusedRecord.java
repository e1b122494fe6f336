package io.cordwood.hot.fetch;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * A placeholder for a record that was not unpacked: it has no value, and the reason is its only header.
 *
 * @param key the record's key; null if it is not kept
 */
record RefusedRecord(RecordBatch batch, long offset, ByteBuffer key, Refusal refusal) implements Record {
    @Override
    public int sequence() {
        return RecordBatch.NO_SEQUENCE;
    }

    @Override
    public int sizeInBytes() {
        return keySize() + refusal.why().length();
    }

    /** The append time of all records of the batch: the job accepts no other topics. */
    @Override
    public long timestamp() {
        return batch.maxTimestamp();
    }

    @Override
    public void ensureValid() {
        // The consumer checks the checksum of the batch
    }

    @Override
    public int keySize() {
        return hasKey() ? key.remaining() : -1;
    }

    @Override
    public boolean hasKey() {
        return key != null;
    }

    @Override
    public ByteBuffer key() {
        return hasKey() ? key.duplicate() : null;
    }

    @Override
    public int valueSize() {
        return -1;
    }

    @Override
    public boolean hasValue() {
        return false;
    }

    @Override
    public ByteBuffer value() {
        return null;
    }

    @Override
    public boolean hasMagic(byte magic) {
        return batch.magic() == magic;
    }

    @Override
    public boolean isCompressed() {
        return false;
    }

    @Override
    public boolean hasTimestampType(TimestampType timestampType) {
        return batch.timestampType() == timestampType;
    }

    @Override
    public Header[] headers() {
        return new Header[] {refusal};
    }
}

package io.cordwood.hot.fetch;

import java.io.IOException;
import java.util.Iterator;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.AbstractIterator;

/** Fetched records of a partition whose batches bound records while they are unpacked. */
final class BoundedRecords extends AbstractRecords {
    private final Records fetched;

    BoundedRecords(Records fetched) {
        this.fetched = fetched;
    }

    @Override
    public Iterable<RecordBatch> batches() {
        return this::batchIterator;
    }

    @Override
    public AbstractIterator<RecordBatch> batchIterator() {
        Iterator<? extends RecordBatch> batches = fetched.batches().iterator();
        return new AbstractIterator<>() {
            @Override
            protected RecordBatch makeNext() {
                return batches.hasNext() ? BoundedBatch.of(batches.next()) : allDone();
            }
        };
    }

    @Override
    public Records slice(int position, int size) {
        return new BoundedRecords(fetched.slice(position, size));
    }

    @Override
    public int sizeInBytes() {
        return fetched.sizeInBytes();
    }

    @Override
    public int writeTo(TransferableChannel channel, int position, int length) throws IOException {
        return fetched.writeTo(channel, position, length);
    }
}

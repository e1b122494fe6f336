package io.cordwood.services;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * Batches of records that are large once unpacked. They are built without that memory and sent without a producer's
 * limits. Stateless.
 */
public final class Bombs {
    private static final short PRODUCE_VERSION = 9;
    private static final int REQUEST_MILLIS = 60_000;
    private static final byte[] ZEROS = new byte[1 << 20];

    private Bombs() {}

    /**
     * A record of zeros.
     *
     * @param key the key's first bytes
     * @param keyZeros length of the rest of the key
     * @param valueBytes length of the value; negative if there is none
     * @param headers number of headers, without names
     * @param headerBytes length of each header's value
     */
    public record Zeros(byte[] key, int keyZeros, int valueBytes, int headers, int headerBytes) {
        /** A value of zeros. */
        public static Zeros value(byte[] key, int bytes) {
            return new Zeros(key, 0, bytes, 0, 0);
        }

        /** A small value and a key of zeros. */
        public static Zeros key(int bytes) {
            return new Zeros(new byte[0], bytes, 2, 0, 0);
        }

        /** No value and a key of zeros. */
        public static Zeros keyAlone(int bytes) {
            return new Zeros(new byte[0], bytes, -1, 0, 0);
        }

        /** A small value and headers of zeros. */
        public static Zeros headers(byte[] key, int count, int bytesEach) {
            return new Zeros(key, 0, 2, count, bytesEach);
        }

        /** Bytes of the record after its length field, at this position in its batch. */
        public int sizeInBytes(int offsetDelta) {
            int keyBytes = key.length + keyZeros;
            return 2
                    + ByteUtils.sizeOfVarint(offsetDelta)
                    + ByteUtils.sizeOfVarint(keyBytes)
                    + keyBytes
                    + ByteUtils.sizeOfVarint(valueBytes)
                    + Math.max(0, valueBytes)
                    + ByteUtils.sizeOfVarint(headers)
                    + headers * (1 + ByteUtils.sizeOfVarint(headerBytes) + headerBytes);
        }

        private void writeTo(DataOutputStream out, int offsetDelta) throws IOException {
            ByteUtils.writeVarint(sizeInBytes(offsetDelta), out);
            out.writeByte(0);
            ByteUtils.writeVarlong(0, out);
            ByteUtils.writeVarint(offsetDelta, out);
            ByteUtils.writeVarint(key.length + keyZeros, out);
            out.write(key);
            writeZeros(keyZeros, out);
            ByteUtils.writeVarint(valueBytes, out);
            writeZeros(valueBytes, out);
            ByteUtils.writeVarint(headers, out);
            for (int i = 0; i < headers; i++) {
                ByteUtils.writeVarint(0, out);
                ByteUtils.writeVarint(headerBytes, out);
                writeZeros(headerBytes, out);
            }
        }
    }

    private static void writeZeros(int bytes, OutputStream out) throws IOException {
        for (int left = bytes; left > 0; left -= ZEROS.length) {
            out.write(ZEROS, 0, Math.min(left, ZEROS.length));
        }
    }

    /** One batch of these records, from offset 0 on. */
    public static MemoryRecords batch(CompressionType compression, List<Zeros> records) throws IOException {
        ByteBufferOutputStream bytes = new ByteBufferOutputStream(1 << 16);
        bytes.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        try (DataOutputStream out = new DataOutputStream(
                Compression.of(compression).build().wrapForOutput(bytes, RecordBatch.MAGIC_VALUE_V2))) {
            for (int i = 0; i < records.size(); i++) {
                records.get(i).writeTo(out, i);
            }
        }
        return withHeader(compression, bytes.buffer().flip(), records.size());
    }

    /** One batch of this number of already compressed records, from offset 0 on. */
    public static MemoryRecords raw(CompressionType compression, byte[] compressed, int records) {
        ByteBuffer bytes = ByteBuffer.allocate(DefaultRecordBatch.RECORD_BATCH_OVERHEAD + compressed.length);
        bytes.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD).put(compressed).flip();
        return withHeader(compression, bytes, records);
    }

    private static MemoryRecords withHeader(CompressionType compression, ByteBuffer batch, int records) {
        long now = System.currentTimeMillis();
        DefaultRecordBatch.writeHeader(
                batch,
                0,
                records - 1,
                batch.limit(),
                RecordBatch.MAGIC_VALUE_V2,
                compression,
                TimestampType.CREATE_TIME,
                now,
                now,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_SEQUENCE,
                false,
                false,
                false,
                RecordBatch.NO_PARTITION_LEADER_EPOCH,
                records);
        return MemoryRecords.readableRecords(batch.position(0));
    }

    /**
     * Sends a batch to the leader of a partition.
     *
     * @param address host and port of the leader
     * @return offset of its first record
     * @throws IOException if the broker refuses it
     */
    public static long send(String address, String topic, int partition, MemoryRecords batch) throws IOException {
        ProduceRequestData data = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(REQUEST_MILLIS)
                .setTopicData(new TopicProduceDataCollection(List.of(new TopicProduceData()
                                .setName(topic)
                                .setPartitionData(List.of(new PartitionProduceData()
                                        .setIndex(partition)
                                        .setRecords(batch))))
                        .iterator()));
        RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, PRODUCE_VERSION, "bombs", 1);
        ByteBuffer request = ProduceRequest.builder(data).build(PRODUCE_VERSION).serializeWithHeader(header);
        int colon = address.lastIndexOf(':');
        try (Socket socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
            socket.setSoTimeout(REQUEST_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(request.remaining());
            out.write(request.array(), request.arrayOffset() + request.position(), request.remaining());
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ByteBuffer answer = ByteBuffer.wrap(in.readNBytes(in.readInt()));
            return offset((ProduceResponse) AbstractResponse.parseResponse(answer, header));
        }
    }

    private static long offset(ProduceResponse response) throws IOException {
        PartitionProduceResponse partition = response.data()
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .get(0);
        if (partition.errorCode() != Errors.NONE.code()) {
            throw new IOException("The broker refuses the batch: " + Errors.forCode(partition.errorCode()));
        }
        return partition.baseOffset();
    }
}

package io.cordwood.hot.fetch;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * A limit of the unpacked bytes of keys, headers and values that one poll of a consumer returns.
 *
 * <p>Kafka's own limits count compressed bytes, or records: five hundred records of 10 MB may arrive as a few hundred
 * kilobytes. But a consumer unpacks records one by one during a poll. When a value cannot be deserialized, it ends the
 * poll with the records so far, and deserializes the same record again in the next poll. So this class refuses a value
 * that is too large for the current poll. It never refuses the first value of a poll. It does not refuse records
 * without a value: they are small, as {@link RecordLimits} ensures.
 *
 * <p>A consumer polls, deserializes and calls its interceptors on one thread, so the shared state is thread-local.
 */
public final class BoundedPoll {
    /** Bytes of a poll, unless a single record is larger. */
    public static final long MAX_BYTES = 8 << 20;

    private static final ThreadLocal<Poll> POLL = ThreadLocal.withInitial(Poll::new);

    private BoundedPoll() {}

    /**
     * The consumer properties that bound its polls.
     *
     * @param interceptors classes of its other interceptors, separated by commas; may be empty
     */
    public static Map<String, String> properties(String interceptors) {
        return Map.of(
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                Keys.class.getName(),
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                Values.class.getName(),
                ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                interceptors.isBlank() ? End.class.getName() : End.class.getName() + "," + interceptors);
    }

    /** The current poll. */
    private static final class Poll {
        private long bytes;
        /** Bytes of the current record, and of records without a value before it. */
        private long keyBytes;

        void hasKey(int more) {
            keyBytes += more;
        }

        boolean takes(long more) {
            long all = keyBytes + more;
            keyBytes = 0;
            if (bytes > 0 && bytes + all > MAX_BYTES) {
                return false;
            }
            bytes += all;
            return true;
        }

        void end() {
            bytes = 0;
            keyBytes = 0;
        }
    }

    /** Returns keys unchanged. Kafka creates it. */
    public static final class Keys implements Deserializer<byte[]> {
        @Override
        public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
            if (data != null) {
                POLL.get().hasKey(data.remaining());
            }
            return Utils.toNullableArray(data);
        }

        @Override
        public byte[] deserialize(String topic, byte[] data) {
            return data; // A consumer does not call this
        }
    }

    /** Returns values unchanged, or refuses them. Kafka creates it. */
    public static final class Values implements Deserializer<byte[]> {
        @Override
        public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
            if (data != null && !POLL.get().takes(bytes(headers) + data.remaining())) {
                throw new SerializationException("kept for the next poll: this one is full");
            }
            return Utils.toNullableArray(data);
        }

        @Override
        public byte[] deserialize(String topic, byte[] data) {
            return data; // A consumer does not call this
        }

        private static long bytes(Headers headers) {
            long bytes = 0;
            for (Header header : headers) {
                bytes += RecordLimits.HEADER_BYTES
                        + header.key().length()
                        + (header.value() == null ? 0 : header.value().length);
            }
            return bytes;
        }
    }

    /** Notes the end of each poll. Kafka creates it. */
    public static final class End implements ConsumerInterceptor<byte[], byte[]> {
        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            POLL.get().end();
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
            // The consumer commits nothing.
        }

        @Override
        public void configure(Map<String, ?> configuration) {
            // There are no options.
        }

        @Override
        public void close() {
            POLL.remove();
        }
    }
}

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
 * Bounds the bytes of keys, headers and values that one poll of a consumer hands over, as they are unpacked.
 *
 * <p>Kafka's own limits count bytes as they are compressed, or records: five hundred records of 10 MB may arrive as a
 * few hundred kilobytes. But a consumer unpacks record by record as a poll gathers them, ends the poll with what it has
 * when a value cannot be deserialized, and deserializes the same record again in the next poll. So a value that is too
 * much for this poll is refused. The first of a poll never is. Records without a value are not refused: they are small,
 * as {@link RecordLimits} says.
 *
 * <p>A consumer polls, deserializes and calls its interceptors on one thread, so what they share belongs to that
 * thread.
 */
public final class BoundedPoll {
    /** Bytes of a poll, unless a single record is larger. */
    public static final long MAX_BYTES = 8 << 20;

    private static final ThreadLocal<Poll> POLL = ThreadLocal.withInitial(Poll::new);

    private BoundedPoll() {}

    /**
     * What a consumer has to be told to be bounded.
     *
     * @param interceptors classes of those it has anyway, separated by commas; may be empty
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

    /** The poll that is under way. */
    private static final class Poll {
        private long bytes;
        /** Of the record at hand, and of records without a value before it. */
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

    /** Keys as they are. Made by Kafka. */
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
            return data; // Not what a consumer calls
        }
    }

    /** Values as they are. Made by Kafka. */
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
            return data; // Not what a consumer calls
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

    /** Notes the end of each poll. Made by Kafka. */
    public static final class End implements ConsumerInterceptor<byte[], byte[]> {
        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            POLL.get().end();
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
            // Nothing is committed by the consumer.
        }

        @Override
        public void configure(Map<String, ?> configuration) {
            // There is nothing to choose.
        }

        @Override
        public void close() {
            POLL.remove();
        }
    }
}

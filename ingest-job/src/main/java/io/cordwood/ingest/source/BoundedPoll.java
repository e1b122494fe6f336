package io.cordwood.ingest.source;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Bounds the bytes of values that one poll of a consumer hands over, as they are unpacked.
 *
 * <p>Kafka's own limits count bytes as they are compressed, or records: five hundred records of 10 MB may arrive as a
 * few hundred kilobytes. But a consumer unpacks record by record as a poll gathers them, ends the poll with what it has when a value
 * cannot be deserialized, and deserializes the same value again in the next poll. So a value that is too much for this
 * poll is refused. The first of a poll never is.
 *
 * <p>A consumer polls, deserializes and calls its interceptors on one thread, so what they share belongs to that thread.
 */
public final class BoundedPoll {
    /** Bytes of values in a poll, unless a single value is larger. */
    static final long MAX_BYTES = 8 << 20;

    private static final ThreadLocal<Poll> POLL = ThreadLocal.withInitial(Poll::new);

    private BoundedPoll() {}

    /**
     * What a consumer has to be told to be bounded.
     *
     * @param interceptors classes of those it has anyway, separated by commas; may be empty
     */
    static Map<String, String> properties(String interceptors) {
        return Map.of(
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                Values.class.getName(),
                ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                interceptors.isBlank() ? End.class.getName() : End.class.getName() + "," + interceptors);
    }

    /** The poll that is under way. */
    private static final class Poll {
        private long bytes;

        boolean takes(int more) {
            if (bytes > 0 && bytes + more > MAX_BYTES) {
                return false;
            }
            bytes += more;
            return true;
        }

        void end() {
            bytes = 0;
        }
    }

    /** Values as they are. Made by Kafka. */
    public static final class Values implements Deserializer<byte[]> {
        @Override
        public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
            if (data != null && !POLL.get().takes(data.remaining())) {
                throw new SerializationException("kept for the next poll: this one is full");
            }
            return Utils.toNullableArray(data);
        }

        @Override
        public byte[] deserialize(String topic, byte[] data) {
            return deserialize(topic, null, data == null ? null : ByteBuffer.wrap(data));
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

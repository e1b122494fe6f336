package io.cordwood.ingest.builder;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.TopicChecks;
import io.cordwood.record.KafkaRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes records that cannot be decoded to the topics {@code <stream>.dlq}.
 *
 * <p>Delivers at least once: Kafka acknowledges letters before each checkpoint, and a letter that is written again
 * after a restart has the same key, {@code <topic id>/<partition>/<offset>}.
 *
 * <p>A letter larger than its topic's limit is cut: one record must not stop the stream. A header tells its original
 * size, and the whole record stays at its offset until Kafka deletes it.
 */
public final class DeadLetterSink implements Sink<DeadLetter> {
    private static final long serialVersionUID = 1;
    private static final String ERROR_HEADER = "cordwood.error";
    private static final String MESSAGE_HEADER = "cordwood.message";
    private static final String TOPIC_HEADER = "cordwood.topic";
    private static final String PARTITION_HEADER = "cordwood.partition";
    private static final String OFFSET_HEADER = "cordwood.offset";
    private static final String LINE_HEADER = "cordwood.line";
    private static final String KEY_HEADER = "cordwood.key";
    private static final String ORIGINAL_SIZE_HEADER = "cordwood.original-size";
    /** Headroom for Kafka's own bytes around the value: batch, lengths, names of headers, the key. */
    private static final int OVERHEAD_BYTES = 64 << 10;
    /** Maximum size of each header; all of them together are far below a letter. */
    private static final int MAX_HEADER_BYTES = 1 << 20;

    private final Properties properties = new Properties();

    /**
     * A sink that writes with these settings.
     *
     * @param kafka Kafka client properties, {@code bootstrap.servers} among them
     */
    public DeadLetterSink(Properties kafka) {
        properties.putAll(kafka);
        properties.setProperty(
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(TopicChecks.MAX_DEAD_LETTER_BYTES));
    }

    @Override
    public SinkWriter<DeadLetter> createWriter(WriterInitContext context) {
        return new Writer(new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    static ProducerRecord<byte[], byte[]> record(DeadLetter letter) {
        LogPartition partition = letter.partition();
        KafkaRecord kafka = letter.record();
        String key = "%s/%d/%d".formatted(partition.topicId(), partition.partition(), kafka.offset())
                + (letter.line().isPresent() ? "/" + letter.line().getAsInt() : "");
        Map<String, byte[]> headers = new LinkedHashMap<>();
        headers.put(ERROR_HEADER, letter.reason().getBytes(UTF_8));
        headers.put(MESSAGE_HEADER, cut(letter.message().getBytes(UTF_8), MAX_HEADER_BYTES));
        headers.put(TOPIC_HEADER, partition.stream().getBytes(UTF_8));
        headers.put(PARTITION_HEADER, Integer.toString(partition.partition()).getBytes(UTF_8));
        headers.put(OFFSET_HEADER, Long.toString(kafka.offset()).getBytes(UTF_8));
        letter.line()
                .ifPresent(
                        line -> headers.put(LINE_HEADER, Integer.toString(line).getBytes(UTF_8)));
        putIfPresent(headers, KEY_HEADER, kafka.key());
        putIfPresent(headers, KafkaRecord.TENANT_HEADER, kafka.tenantHeader());
        putIfPresent(headers, KafkaRecord.CONTENT_TYPE_HEADER, kafka.contentType());
        int available = TopicChecks.MAX_DEAD_LETTER_BYTES - OVERHEAD_BYTES;
        for (byte[] header : headers.values()) {
            available -= header.length;
        }
        byte[] value = cut(kafka.value(), available);
        if (value.length < kafka.value().length) {
            headers.put(
                    ORIGINAL_SIZE_HEADER, Integer.toString(kafka.value().length).getBytes(UTF_8));
        }
        ProducerRecord<byte[], byte[]> result =
                new ProducerRecord<>(partition.stream() + TopicChecks.DEAD_LETTER_SUFFIX, key.getBytes(UTF_8), value);
        headers.forEach((name, header) -> result.headers().add(name, header));
        return result;
    }

    private static void putIfPresent(Map<String, byte[]> headers, String name, byte[] value) {
        if (value.length > 0) {
            headers.put(name, cut(value, MAX_HEADER_BYTES));
        }
    }

    private static byte[] cut(byte[] bytes, int length) {
        return bytes.length <= length ? bytes : Arrays.copyOf(bytes, length);
    }

    /** Used by the task thread; the producer calls back on a thread of its own. */
    private static final class Writer implements SinkWriter<DeadLetter> {
        private final Producer<byte[], byte[]> producer;
        private final AtomicReference<Exception> failure = new AtomicReference<>();

        Writer(Producer<byte[], byte[]> producer) {
            this.producer = producer;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the callback takes the failure
        public void write(DeadLetter letter, Context context) throws IOException {
            throwFailure();
            producer.send(record(letter), (metadata, problem) -> failure.compareAndSet(null, problem));
        }

        @Override
        public void flush(boolean endOfInput) throws IOException {
            producer.flush();
            throwFailure();
        }

        private void throwFailure() throws IOException {
            Exception problem = failure.get();
            if (problem != null) {
                throw new IOException("Cannot write to the dead-letter topic: " + problem.getMessage(), problem);
            }
        }

        @Override
        public void close() {
            producer.close(Duration.ofSeconds(5));
        }
    }
}

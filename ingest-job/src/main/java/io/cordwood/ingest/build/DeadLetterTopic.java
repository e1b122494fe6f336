package io.cordwood.ingest.build;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.ingest.source.TopicChecks;
import io.cordwood.record.KafkaRecord;
import java.util.Properties;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * The topic {@code <stream>.dlq}, which takes what cannot be decoded. Stateless.
 *
 * <p>At least once: letters are flushed before each checkpoint, and one that is written again after a restart has the
 * same key, {@code <topic id>/<partition>/<offset>}.
 */
public final class DeadLetterTopic {
    private static final String ERROR_HEADER = "cordwood.error";
    private static final String MESSAGE_HEADER = "cordwood.message";
    private static final String TOPIC_HEADER = "cordwood.topic";
    private static final String PARTITION_HEADER = "cordwood.partition";
    private static final String OFFSET_HEADER = "cordwood.offset";
    private static final String KEY_HEADER = "cordwood.key";

    private DeadLetterTopic() {}

    /**
     * A sink that writes to the dead-letter topics.
     *
     * @param kafka Kafka client properties, {@code bootstrap.servers} among them
     */
    public static KafkaSink<DeadLetter> sink(Properties kafka) {
        Properties producer = new Properties();
        producer.putAll(kafka);
        producer.setProperty(
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(TopicChecks.MAX_DEAD_LETTER_BYTES));
        KafkaRecordSerializationSchema<DeadLetter> schema = (letter, context, timestamp) -> record(letter);
        return KafkaSink.<DeadLetter>builder()
                .setKafkaProducerConfig(producer)
                .setBootstrapServers(kafka.getProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG))
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(schema)
                .build();
    }

    static ProducerRecord<byte[], byte[]> record(DeadLetter letter) {
        KafkaRecord kafka = letter.raw().kafka();
        String key = "%s/%d/%d".formatted(letter.raw().topicId(), kafka.partition(), kafka.offset());
        ProducerRecord<byte[], byte[]> result = new ProducerRecord<>(
                kafka.stream() + TopicChecks.DEAD_LETTER_SUFFIX, key.getBytes(UTF_8), kafka.value());
        Headers headers = result.headers();
        headers.add(ERROR_HEADER, letter.reason().getBytes(UTF_8));
        headers.add(MESSAGE_HEADER, letter.message().getBytes(UTF_8));
        headers.add(TOPIC_HEADER, kafka.stream().getBytes(UTF_8));
        headers.add(PARTITION_HEADER, Integer.toString(kafka.partition()).getBytes(UTF_8));
        headers.add(OFFSET_HEADER, Long.toString(kafka.offset()).getBytes(UTF_8));
        addIfPresent(headers, KEY_HEADER, kafka.key());
        addIfPresent(headers, KafkaRecord.TENANT_HEADER, kafka.tenantHeader());
        addIfPresent(headers, KafkaRecord.CONTENT_TYPE_HEADER, kafka.contentType());
        return result;
    }

    private static void addIfPresent(Headers headers, String name, byte[] value) {
        if (value.length > 0) {
            headers.add(name, value);
        }
    }
}

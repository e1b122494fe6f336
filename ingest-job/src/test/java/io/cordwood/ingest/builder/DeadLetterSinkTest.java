package io.cordwood.ingest.builder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.source.LogPartition;
import io.cordwood.ingest.source.RecordBatch;
import io.cordwood.ingest.source.TopicChecks;
import io.cordwood.ingest.testing.Records;
import io.cordwood.record.KafkaRecord;
import java.util.OptionalInt;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

class DeadLetterSinkTest {
    @Test
    void keepsALetterThatFitsWhole() {
        RecordBatch raw = Records.value(3, 7, "acme", 0, "not json");
        ProducerRecord<byte[], byte[]> record = DeadLetterSink.record(
                letter(raw.partition(), raw.records().getFirst(), OptionalInt.empty(), "at byte 0"));
        assertThat(record.topic()).isEqualTo("logs.dlq");
        assertThat(record.key()).asString(UTF_8).isEqualTo(Records.TOPIC_ID + "/3/7");
        assertThat(record.value()).asString(UTF_8).isEqualTo("not json");
        assertThat(header(record, "cordwood.error")).isEqualTo("MALFORMED_JSON");
        assertThat(header(record, "cordwood.offset")).isEqualTo("7");
        assertThat(record.headers().lastHeader("cordwood.original-size")).isNull();
        assertThat(record.headers().lastHeader("cordwood.line")).isNull();
    }

    /** A reader keeps the last letter of each key. */
    @Test
    void aLineOfABatchHasAKeyOfItsOwn() {
        RecordBatch raw = Records.value(3, 7, "acme", 0, "not json");
        ProducerRecord<byte[], byte[]> record = DeadLetterSink.record(
                letter(raw.partition(), raw.records().getFirst(), OptionalInt.of(12), "at byte 0"));
        assertThat(record.key()).asString(UTF_8).isEqualTo(Records.TOPIC_ID + "/3/7/12");
        assertThat(header(record, "cordwood.line")).isEqualTo("12");
    }

    private static DeadLetter letter(LogPartition partition, KafkaRecord record, OptionalInt line, String message) {
        return new DeadLetter(partition, record, line, "MALFORMED_JSON", message);
    }

    @Test
    void cutsALetterThatItsTopicWouldRefuse() {
        int size = 40 << 20;
        KafkaRecord kafka =
                new KafkaRecord(0, 0, new byte[30 << 20], new byte[size], new byte[2 << 20], new byte[2 << 20]);
        ProducerRecord<byte[], byte[]> record = DeadLetterSink.record(
                letter(new LogPartition("logs", Records.TOPIC_ID, 0), kafka, OptionalInt.empty(), "m".repeat(3 << 20)));
        long bytes = (long) record.key().length + record.value().length;
        for (Header header : record.headers()) {
            bytes += (long) header.key().length() + header.value().length;
        }
        assertThat(bytes).isBetween(19L << 20, TopicChecks.MAX_DEAD_LETTER_BYTES - 1024L);
        assertThat(header(record, "cordwood.original-size")).isEqualTo(Integer.toString(size));
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return new String(header.value(), UTF_8);
    }
}

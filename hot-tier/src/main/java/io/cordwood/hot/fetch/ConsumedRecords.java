package io.cordwood.hot.fetch;

import io.cordwood.record.KafkaRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Conversion of Kafka's consumer records to the decoder's input. Stateless. */
public final class ConsumedRecords {
    private static final byte[] ABSENT = new byte[0];

    private ConsumedRecords() {}

    /** The record; its arrays are not copied. */
    public static KafkaRecord of(ConsumerRecord<byte[], byte[]> consumed) {
        Headers headers = consumed.headers();
        return new KafkaRecord(
                consumed.offset(),
                consumed.timestamp() * 1000,
                orAbsent(consumed.key()),
                orAbsent(consumed.value()),
                header(headers, KafkaRecord.TENANT_HEADER),
                header(headers, KafkaRecord.CONTENT_TYPE_HEADER),
                header(headers, KafkaRecord.TOKEN_HEADER),
                Refusal.of(headers).map(Refusal::why).orElse(""));
    }

    /** Unpacked bytes of key and value. */
    public static int bytes(ConsumerRecord<byte[], byte[]> consumed) {
        return Math.max(0, consumed.serializedKeySize()) + Math.max(0, consumed.serializedValueSize());
    }

    private static byte[] header(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null ? ABSENT : orAbsent(header.value());
    }

    private static byte[] orAbsent(byte[] bytes) {
        return bytes == null ? ABSENT : bytes;
    }
}

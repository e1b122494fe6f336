package io.cordwood.record;

/** Decodes Kafka records into rows. Keeps scratch memory and a cache of member names; not thread-safe. */
public final class RecordDecoder {
    public RecordDecoder(DecodingPolicy policy) {}

    /**
     * The record's tenant: the header, else the key, else the default.
     *
     * @throws UndecodableRecordException if there is none, or it is longer than 128 bytes or not UTF-8
     */
    public String tenant(KafkaRecord record) throws UndecodableRecordException {
        throw new UnsupportedOperationException();
    }

    /**
     * Appends the record's rows to a buffer: all of them, or none if it throws.
     *
     * @param target rows of this record's tenant and partition; its last offset is below the record's
     * @return number of rows appended; an OTLP request can have none
     */
    public int decode(KafkaRecord record, RowBuffer target) throws UndecodableRecordException {
        throw new UnsupportedOperationException();
    }
}

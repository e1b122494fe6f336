package io.cordwood.ingest.source;

import static io.cordwood.ingest.serial.Wire.readBytes;
import static io.cordwood.ingest.serial.Wire.readText;
import static io.cordwood.ingest.serial.Wire.writeBytes;
import static io.cordwood.ingest.serial.Wire.writeText;

import io.cordwood.record.KafkaRecord;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The serialized form of a record for the job's serializers: alone, or as one of a batch. */
public final class KafkaRecordWire {
    private KafkaRecordWire() {}

    public static void write(KafkaRecord record, DataOutputView out) throws IOException {
        write(record, new BatchTokens(), out);
    }

    static void write(KafkaRecord record, BatchTokens tokens, DataOutputView out) throws IOException {
        out.writeLong(record.offset());
        out.writeLong(record.appendTimeMicros());
        writeBytes(record.key(), out);
        writeBytes(record.tenantHeader(), out);
        writeBytes(record.contentType(), out);
        tokens.write(record.token(), out);
        writeBytes(record.value(), out);
        writeText(record.refusal(), out);
    }

    public static KafkaRecord read(DataInputView in) throws IOException {
        return read(new BatchTokens(), in);
    }

    static KafkaRecord read(BatchTokens tokens, DataInputView in) throws IOException {
        long offset = in.readLong();
        long appendTimeMicros = in.readLong();
        byte[] key = readBytes(in);
        byte[] tenantHeader = readBytes(in);
        byte[] contentType = readBytes(in);
        byte[] token = tokens.read(in);
        byte[] value = readBytes(in);
        String refusal = readText(in);
        return new KafkaRecord(offset, appendTimeMicros, key, value, tenantHeader, contentType, token, refusal);
    }
}

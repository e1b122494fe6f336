package io.cordwood.ingest.source;

import static io.cordwood.ingest.serial.Wire.readBytes;
import static io.cordwood.ingest.serial.Wire.writeBytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.ingest.serial.VersionedSerializer;
import io.cordwood.record.KafkaRecord;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes {@link RawRecord}s. The topic's name and id, the same in nearly all records of a channel, are decoded once and
 * kept. Not thread-safe: Flink {@link #duplicate duplicates} it for each thread.
 */
public final class RawRecordSerializer extends VersionedSerializer<RawRecord> {
    private static final long serialVersionUID = 1;

    private transient Name readStream;
    private transient Name readTopicId;
    private transient Name writtenStream;
    private transient Name writtenTopicId;

    public RawRecordSerializer() {
        super(1);
    }

    @Override
    public TypeSerializer<RawRecord> duplicate() {
        return new RawRecordSerializer();
    }

    @Override
    protected void write(RawRecord value, DataOutputView out) throws IOException {
        KafkaRecord kafka = value.kafka();
        writtenStream = Name.of(kafka.stream(), writtenStream);
        writtenTopicId = Name.of(value.topicId(), writtenTopicId);
        writeBytes(writtenStream.bytes, out);
        writeBytes(writtenTopicId.bytes, out);
        out.writeInt(kafka.partition());
        out.writeLong(kafka.offset());
        out.writeLong(kafka.appendTimeMicros());
        writeBytes(kafka.key(), out);
        writeBytes(kafka.tenantHeader(), out);
        writeBytes(kafka.contentType(), out);
        writeBytes(kafka.value(), out);
    }

    @Override
    protected RawRecord read(int writtenVersion, DataInputView in) throws IOException {
        readStream = Name.of(readBytes(in), readStream);
        readTopicId = Name.of(readBytes(in), readTopicId);
        int partition = in.readInt();
        long offset = in.readLong();
        long appendTimeMicros = in.readLong();
        byte[] key = readBytes(in);
        byte[] tenantHeader = readBytes(in);
        byte[] contentType = readBytes(in);
        byte[] recordValue = readBytes(in);
        return new RawRecord(
                readTopicId.text,
                new KafkaRecord(
                        readStream.text,
                        partition,
                        offset,
                        appendTimeMicros,
                        key,
                        recordValue,
                        tenantHeader,
                        contentType));
    }

    /** Text with its bytes. */
    private static final class Name {
        final String text;
        final byte[] bytes;

        private Name(String text, byte[] bytes) {
            this.text = text;
            this.bytes = bytes;
        }

        static Name of(String text, Name last) {
            return last != null && last.text.equals(text) ? last : new Name(text, text.getBytes(UTF_8));
        }

        static Name of(byte[] bytes, Name last) {
            return last != null && Arrays.equals(last.bytes, bytes) ? last : new Name(new String(bytes, UTF_8), bytes);
        }
    }
}

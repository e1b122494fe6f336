package io.cordwood.ingest.source;

import io.cordwood.ingest.source.ReadHistory.Position;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Writes a split with its topic id in front, empty for a split without one, and the end of the records that were read.
 */
final class IdentifiedSplitSerializer implements SimpleVersionedSerializer<KafkaPartitionSplit> {
    private static final int VERSION = 1;

    private final KafkaPartitionSplitSerializer plain = new KafkaPartitionSplitSerializer();

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(KafkaPartitionSplit split) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(split instanceof IdentifiedSplit identified ? identified.topicId() : "");
            Position read = split instanceof IdentifiedSplit identified ? identified.read() : Position.UNKNOWN;
            out.writeLong(read.offset());
            out.writeInt(read.leaderEpoch());
            out.writeInt(plain.getVersion());
            out.write(plain.serialize(split));
        }
        return bytes.toByteArray();
    }

    @Override
    public KafkaPartitionSplit deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException("The checkpoint has Kafka splits of version %d; this program reads version %d"
                    .formatted(version, VERSION));
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized))) {
            String topicId = in.readUTF();
            Position read = new Position(in.readLong(), in.readInt());
            int plainVersion = in.readInt();
            KafkaPartitionSplit split = plain.deserialize(plainVersion, in.readAllBytes());
            return topicId.isEmpty() ? split : new IdentifiedSplit(split, topicId, read);
        }
    }
}

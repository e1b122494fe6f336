package io.cordwood.gateway.loki;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.util.Map;

/** Composes push requests in protobuf, by the numbers of Loki's fields. */
final class PushRequest {
    private final UnknownFieldSet.Builder request = UnknownFieldSet.newBuilder();
    private final Field.Builder streams = Field.newBuilder();

    /** A line with its time and structured metadata. */
    record Entry(long seconds, int nanos, String line, Map<String, String> metadata) {
        private ByteString encoded() {
            UnknownFieldSet time = UnknownFieldSet.newBuilder()
                    .addField(1, Field.newBuilder().addVarint(seconds).build())
                    .addField(2, Field.newBuilder().addVarint(nanos).build())
                    .build();
            UnknownFieldSet.Builder entry = UnknownFieldSet.newBuilder()
                    .addField(1, bytes(time.toByteString()))
                    .addField(2, bytes(ByteString.copyFromUtf8(line)));
            Field.Builder pairs = Field.newBuilder();
            metadata.forEach((name, value) -> pairs.addLengthDelimited(UnknownFieldSet.newBuilder()
                    .addField(1, bytes(ByteString.copyFromUtf8(name)))
                    .addField(2, bytes(ByteString.copyFromUtf8(value)))
                    .build()
                    .toByteString()));
            return entry.addField(3, pairs.build()).build().toByteString();
        }
    }

    private static Field bytes(ByteString value) {
        return Field.newBuilder().addLengthDelimited(value).build();
    }

    PushRequest stream(String labels, Entry... entries) {
        Field.Builder encoded = Field.newBuilder();
        for (Entry entry : entries) {
            encoded.addLengthDelimited(entry.encoded());
        }
        streams.addLengthDelimited(UnknownFieldSet.newBuilder()
                .addField(1, bytes(ByteString.copyFromUtf8(labels)))
                .addField(2, encoded.build())
                .addField(3, Field.newBuilder().addVarint(7).build())
                .build()
                .toByteString());
        return this;
    }

    byte[] toByteArray() {
        return request.addField(1, streams.build()).build().toByteArray();
    }
}

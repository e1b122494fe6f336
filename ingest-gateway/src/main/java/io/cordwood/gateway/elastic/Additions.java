package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.json.JsonComposer;
import java.util.List;

/** Members that documents get unless they have them already. Immutable. */
record Additions(List<Addition> members) {
    static final Additions NONE = new Additions(List.of());

    Additions {
        members = List.copyOf(members);
    }

    /** Bytes of all members. */
    int bytes() {
        int bytes = 0;
        for (Addition each : members) {
            bytes += each.text().length;
        }
        return bytes;
    }

    /**
     * A member.
     *
     * @param name in lower case, perhaps with a dot
     * @param text the member as JSON
     */
    @SuppressWarnings("ArrayRecordComponent") // Written to each document, never changed
    record Addition(byte[] name, byte[] text) {
        static Addition of(String name, String value) {
            byte[] nameBytes = name.getBytes(UTF_8);
            byte[] valueBytes = value.getBytes(UTF_8);
            JsonComposer json = new JsonComposer();
            json.name(nameBytes, 0, nameBytes.length);
            json.string(valueBytes, 0, valueBytes.length);
            byte[] text = new byte[json.length()];
            System.arraycopy(json.array(), 0, text, 0, text.length);
            return new Addition(nameBytes, text);
        }
    }
}

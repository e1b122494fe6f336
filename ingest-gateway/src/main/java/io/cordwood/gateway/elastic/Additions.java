package io.cordwood.gateway.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.json.JsonComposer;
import java.util.Arrays;
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
            JsonComposer json = new JsonComposer();
            json.name(name);
            json.string(value);
            return new Addition(name.getBytes(UTF_8), Arrays.copyOf(json.array(), json.length()));
        }
    }
}

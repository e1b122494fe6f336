package io.cordwood.record.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.record.buffer.MemberName;
import io.cordwood.record.json.JsonText;
import io.cordwood.record.json.TextSink;
import java.util.Arrays;

/**
 * A decoder's bounded cache of member names. When it is full, it does not keep the rest of the row's names, and the
 * next row clears it. Not thread-safe.
 */
final class MemberNames {
    private static final int MAX_BYTES = 8 << 20;

    private final TextSink scratch = new TextSink();
    private MemberName root = MemberName.root();
    private long bytes;

    /** The parent of a row's own members. The cache forgets no name between two calls. */
    MemberName root() {
        if (isFull()) {
            root = MemberName.root();
            bytes = 0;
        }
        return root;
    }

    /** Whether new names are not kept. */
    boolean isFull() {
        return bytes > MAX_BYTES;
    }

    /** Approximate bytes of the cached names. */
    long sizeInBytes() {
        return bytes;
    }

    /**
     * The name with this spelling below {@code parent}.
     *
     * @param escaped whether the spelling has the escapes of JSON
     */
    MemberName child(MemberName parent, byte[] data, int from, int to, boolean escaped) {
        MemberName known = parent.child(data, from, to);
        if (known != null) {
            return known;
        }
        scratch.reset();
        if (escaped) {
            JsonText.unescape(data, from, to, scratch);
        } else {
            JsonText.repair(data, from, to, scratch);
        }
        String name = new String(scratch.array(), 0, scratch.length(), UTF_8);
        MemberName added = parent.child(Arrays.copyOfRange(data, from, to), name, parent == root);
        if (!isFull()) {
            parent.add(added);
            bytes += added.footprint();
        }
        return added;
    }
}

package io.cordwood.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** A decoder's cache of member names; bounded, started anew when full. Not thread-safe. */
final class MemberNames {
    private static final int MAX_BYTES = 8 << 20;

    private final TextSink scratch = new TextSink();
    private MemberName root = MemberName.root();
    private long bytes;

    /** The name above those of a record's own members. Between two calls no name is forgotten. */
    MemberName root() {
        if (bytes > MAX_BYTES) {
            root = MemberName.root();
            bytes = 0;
        }
        return root;
    }

    /** The name spelled by the scanner's last string, below {@code parent}. */
    MemberName child(MemberName parent, JsonScanner scanner) {
        byte[] data = scanner.data();
        int from = scanner.start();
        int to = scanner.stop();
        MemberName known = parent.child(data, from, to);
        if (known != null) {
            return known;
        }
        scratch.reset();
        if (scanner.isEscaped()) {
            JsonText.unescape(data, from, to, scratch);
        } else {
            JsonText.repair(data, from, to, scratch);
        }
        String name = new String(scratch.array(), 0, scratch.length(), UTF_8);
        MemberName added = parent.add(Arrays.copyOfRange(data, from, to), name, parent == root);
        bytes += added.footprint();
        return added;
    }
}

package io.cordwood.record.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.encoding.Hashing;
import io.cordwood.logblock.match.Utf8;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import java.util.Arrays;

/** A decoder of tenant ids from the bytes of keys and headers; caches the strings of recent ones. Not thread-safe. */
public final class TenantIds {
    private static final int MAX_BYTES = 128;
    private static final int CACHED = 4096;

    private final byte[][] keys = new byte[CACHED][];
    private final String[] ids = new String[CACHED];

    public String of(byte[] bytes) throws UndecodableRecordException {
        int at = Hashing.hash(bytes, 0, bytes.length) & (CACHED - 1);
        if (keys[at] == null || !Arrays.equals(keys[at], bytes)) {
            check(bytes);
            keys[at] = bytes.clone();
            ids[at] = new String(bytes, UTF_8);
        }
        return ids[at];
    }

    private static void check(byte[] bytes) throws UndecodableRecordException {
        if (bytes.length > MAX_BYTES) {
            throw new UndecodableRecordException(
                    Reason.INVALID_TENANT,
                    "The tenant id has %d bytes; at most %d are allowed".formatted(bytes.length, MAX_BYTES));
        }
        if (!Utf8.isValid(bytes, 0, bytes.length)) {
            throw new UndecodableRecordException(Reason.INVALID_TENANT, "The tenant id is not UTF-8");
        }
    }
}

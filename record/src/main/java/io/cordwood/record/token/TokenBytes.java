package io.cordwood.record.token;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cordwood.logblock.encoding.Hashing;
import java.util.Arrays;

/** A token as it was sent, as the key of a table. The bytes are not copied. Thread-safe. */
public final class TokenBytes {
    private static final int HASHED = 32;

    private final byte[] bytes;
    private final int hash;

    public TokenBytes(byte[] bytes) {
        this.bytes = bytes;
        this.hash = hash(bytes);
    }

    /** A hash of the end, which is a part of the signature and differs in each token. */
    static int hash(byte[] bytes) {
        return Hashing.hash(bytes, Math.max(0, bytes.length - HASHED), bytes.length);
    }

    boolean are(byte[] others) {
        return Arrays.equals(bytes, others);
    }

    int length() {
        return bytes.length;
    }

    /** The token as text; a byte that is not ASCII is none of a token's. */
    String text() {
        return new String(bytes, ISO_8859_1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenBytes that && hash == that.hash && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}

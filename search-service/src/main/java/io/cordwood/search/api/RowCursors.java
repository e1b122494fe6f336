package io.cordwood.search.api;

import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.query.search.PageStart;
import io.cordwood.query.search.RowPosition;
import io.cordwood.search.http.ApiException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

/**
 * Positions of rows as texts without a meaning to clients. Not thread-safe; for one request.
 *
 * <p>The place of a row in Kafka, which all tenants share, tells how much others send. With a key it is encrypted as
 * one block of AES: no two rows have the same place, so equal blocks tell nothing. A forged text is some other place,
 * and gives nothing that its sender could not ask for anyway.
 */
final class RowCursors {
    private static final String CIPHER = "AES/ECB/NoPadding";
    private static final int PLACE_BYTES = 16;
    private static final int POSITION_BYTES = Long.BYTES + PLACE_BYTES;
    private static final int POSITION_CHARACTERS = POSITION_BYTES / 3 * 4;
    private static final int PAGE_BYTES = POSITION_BYTES + Integer.BYTES;
    private static final int BITS_24 = 0xFFFFFF;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final Optional<Cipher> encrypt;
    private final Optional<Cipher> decrypt;

    /** @param key encrypts places; empty where every caller may see them */
    RowCursors(Optional<SecretKey> key) {
        encrypt = key.map(secret -> cipher(Cipher.ENCRYPT_MODE, secret));
        decrypt = key.map(secret -> cipher(Cipher.DECRYPT_MODE, secret));
    }

    private static Cipher cipher(int mode, SecretKey key) {
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, key);
            return cipher;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Java has no " + CIPHER, e);
        }
    }

    /** The positions of rows as texts. */
    StringVector encode(List<RowPosition> positions) {
        // Three bytes are four characters: the texts of all are those of each, one after the other
        byte[] text = ENCODER.encode(bytes(positions));
        int[] offsets = new int[positions.size() + 1];
        Arrays.setAll(offsets, i -> POSITION_CHARACTERS * i);
        return StringVector.plain(text, offsets, positions.size(), NullMask.none());
    }

    /** Where a page starts, as text. */
    String encode(PageStart start) {
        return ENCODER.encodeToString(ByteBuffer.allocate(PAGE_BYTES)
                .put(bytes(List.of(start.position())))
                .putInt(start.ties())
                .array());
    }

    private byte[] bytes(List<RowPosition> positions) {
        ByteBuffer places = ByteBuffer.allocate(Math.multiplyExact(PLACE_BYTES, positions.size()));
        for (RowPosition position : positions) {
            places.putLong(position.offset());
            put24(places, position.partition());
            put24(places, position.ordinal());
            places.putShort((short) position.topic());
        }
        byte[] blocks = encrypt.map(cipher -> crypt(cipher, places.array())).orElse(places.array());
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(POSITION_BYTES, positions.size()));
        for (int i = 0; i < positions.size(); i++) {
            bytes.putLong(positions.get(i).micros()).put(blocks, PLACE_BYTES * i, PLACE_BYTES);
        }
        return bytes.array();
    }

    private static byte[] crypt(Cipher cipher, byte[] blocks) {
        try {
            return cipher.doFinal(blocks);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Blocks cannot be encrypted", e);
        }
    }

    private static void put24(ByteBuffer bytes, long value) {
        bytes.put((byte) (value >> 16)).putShort((short) value);
    }

    /** A number of 24 bits; -1 if all are set. */
    private static long take24(ByteBuffer bytes) {
        int value = Byte.toUnsignedInt(bytes.get()) << 16 | Short.toUnsignedInt(bytes.getShort());
        return value == BITS_24 ? -1 : value;
    }

    /** @throws ApiException if the text is no position of a row */
    RowPosition decode(String field, String text) {
        return position(ByteBuffer.wrap(bytes(field, text)));
    }

    /** @throws ApiException if the text is no start of a page; the position of a row is one, too */
    PageStart decodePage(String field, String text) {
        byte[] bytes = bytes(field, text);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        RowPosition position = position(buffer);
        // An estimate, which must not make the question larger
        int ties = bytes.length == PAGE_BYTES ? Math.clamp(buffer.getInt(), 1, SearchRequest.MAX_LIMIT) : 1;
        return PageStart.after(position, ties);
    }

    private static byte[] bytes(String field, String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            if (bytes.length == POSITION_BYTES || bytes.length == PAGE_BYTES) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // The same answer as for a wrong length
        }
        throw ApiException.invalid("'%s' is no cursor: send one that an answer gave".formatted(field));
    }

    private RowPosition position(ByteBuffer bytes) {
        long micros = bytes.getLong();
        byte[] block = new byte[PLACE_BYTES];
        bytes.get(block);
        ByteBuffer place =
                ByteBuffer.wrap(decrypt.map(cipher -> crypt(cipher, block)).orElse(block));
        long offset = place.getLong();
        long partition = take24(place);
        long ordinal = take24(place);
        return new RowPosition(micros, partition, offset, ordinal, Short.toUnsignedInt(place.getShort()));
    }
}

package io.cordwood.catalog.tenant;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * The schema name of a tenant: the Iceberg namespace and SQL schema that hold its tables. Stateless, thread-safe.
 *
 * <p>Bytes of the id in {@code [a-z0-9_-]} are kept; every other byte, and every byte of a reserved id, is written
 * {@code ~hh}. Instead of a name of more than {@value #MAX_LENGTH} characters, a tenant has {@code ~~} and the base32
 * of the id's SHA-256. No two ids have the same name: {@code ~} itself is always escaped, so an escaped name never
 * begins with {@code ~~}.
 */
public final class TenantNames {
    /** Longest id, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 128;

    /** Longest escaped name, in characters; longer ones are hashed. */
    public static final int MAX_LENGTH = 200;

    /** Ids that would shadow a schema of the system; they are escaped. */
    public static final Set<String> RESERVED_IDS = Set.of("all_tenants", "system", "information_schema");

    private static final String HASH_PREFIX = "~~";
    private static final char[] BASE32 = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();
    private static final HexFormat HEX = HexFormat.of();

    private TenantNames() {}

    /**
     * The schema name of this tenant.
     *
     * @throws IllegalArgumentException if the id is empty, longer than {@value #MAX_ID_BYTES} bytes or not valid
     *     Unicode
     */
    public static String schemaName(String tenantId) {
        byte[] id = utf8(tenantId);
        if (id.length == 0 || id.length > MAX_ID_BYTES) {
            throw new IllegalArgumentException(
                    "Tenant id has %d bytes of UTF-8; it must have 1 to %d".formatted(id.length, MAX_ID_BYTES));
        }
        String name = escape(id, RESERVED_IDS.contains(tenantId));
        return name.length() <= MAX_LENGTH ? name : HASH_PREFIX + base32(sha256(id));
    }

    /**
     * The tenant with this schema name; empty if the name is hashed, so that only the tenant registry has the id.
     *
     * @throws IllegalArgumentException if no tenant can have this schema name
     */
    public static Optional<String> tenantId(String schemaName) {
        if (schemaName.startsWith(HASH_PREFIX)) {
            return Optional.empty();
        }
        String tenantId = unescape(schemaName);
        if (!schemaName(tenantId).equals(schemaName)) {
            throw notASchemaName(schemaName);
        }
        return Optional.of(tenantId);
    }

    private static byte[] utf8(String tenantId) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .encode(java.nio.CharBuffer.wrap(tenantId));
            byte[] id = new byte[bytes.remaining()];
            bytes.get(id);
            return id;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("Tenant id is not valid Unicode: it holds half a surrogate pair", e);
        }
    }

    private static String escape(byte[] id, boolean everyByte) {
        StringBuilder name = new StringBuilder(id.length);
        for (byte b : id) {
            if (isPlain((char) (b & 0xff)) && !everyByte) {
                name.append((char) b);
            } else {
                name.append('~').append(HEX.toHexDigits(b));
            }
        }
        return name.toString();
    }

    private static String unescape(String schemaName) {
        ByteBuffer id = ByteBuffer.allocate(schemaName.length());
        int at = 0;
        while (at < schemaName.length()) {
            char c = schemaName.charAt(at);
            if (isPlain(c)) {
                id.put((byte) c);
                at++;
            } else if (c == '~' && isByteInHex(schemaName, at + 1)) {
                id.put((byte) HexFormat.fromHexDigits(schemaName, at + 1, at + 3));
                at += 3;
            } else {
                throw notASchemaName(schemaName);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(id.flip()).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("'%s' does not hold valid UTF-8".formatted(schemaName), e);
        }
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    private static boolean isByteInHex(String name, int from) {
        return from + 2 <= name.length()
                && HexFormat.isHexDigit(name.charAt(from))
                && HexFormat.isHexDigit(name.charAt(from + 1));
    }

    private static IllegalArgumentException notASchemaName(String schemaName) {
        return new IllegalArgumentException("'%s' is not the schema name of a tenant".formatted(schemaName));
    }

    private static byte[] sha256(byte[] id) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(id);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static String base32(byte[] bytes) {
        StringBuilder text = new StringBuilder((bytes.length * 8 + 4) / 5);
        int buffer = 0;
        int bits = 0;
        for (byte b : bytes) {
            buffer = (buffer << 8) | (b & 0xff);
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                text.append(BASE32[(buffer >> bits) & 31]);
            }
            buffer &= (1 << bits) - 1;
        }
        if (bits > 0) {
            text.append(BASE32[(buffer << (5 - bits)) & 31]);
        }
        return text.toString();
    }

    /** The Iceberg table of a tenant and stream. */
    public static TableIdentifier table(String tenantId, String stream) {
        return TableIdentifier.of(Namespace.of(schemaName(tenantId)), stream);
    }
}

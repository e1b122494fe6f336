package io.cordwood.hot.statistics;

import static io.cordwood.hot.statistics.ChunkStatisticsFormat.CHECKSUM_BYTES;
import static io.cordwood.hot.statistics.ChunkStatisticsFormat.checksum;
import static io.cordwood.hot.statistics.ChunkStatisticsFormat.readCount;
import static io.cordwood.hot.statistics.ChunkStatisticsFormat.readVarLong;
import static io.cordwood.hot.statistics.ChunkStatisticsFormat.unzigzag;
import static io.cordwood.hot.statistics.ChunkStatisticsFormat.writeVarLong;
import static io.cordwood.hot.statistics.ChunkStatisticsFormat.zigzag;

import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.schema.IndexKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The binary format of a tenant's columns in a chunk: version, partition, span and tenant; then for each member the
 * name of its column, the kind of its terms, and bounds; then the filter's words; last a CRC-32C of everything before.
 * Stateless.
 */
final class TenantColumnsFormat {
    private static final int VERSION = 1;
    private static final int KEYWORD = 1;
    private static final int TEXT = 2;

    private TenantColumnsFormat() {}

    static byte[] encode(TenantColumns columns) {
        long[] words = columns.terms().words();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024 + words.length * Long.BYTES);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            writeVarLong(out, columns.span().partition());
            writeVarLong(out, columns.span().from());
            writeVarLong(out, columns.span().length());
            out.writeUTF(columns.tenantId());
            writeVarLong(out, columns.members().size());
            for (Map.Entry<String, MemberValues> member : columns.members().entrySet()) {
                out.writeUTF(member.getKey());
                out.writeByte(code(member.getValue().terms()));
                writeVarLong(out, zigzag(member.getValue().min()));
                writeVarLong(out, zigzag(member.getValue().max()));
            }
            writeVarLong(out, words.length);
            out.write(bytes(words));
            out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Empty if the bytes are damaged or of another version. */
    static Optional<TenantColumns> decode(byte[] bytes) {
        int length = bytes.length - CHECKSUM_BYTES;
        if (length < 1
                || bytes[0] != VERSION
                || ByteBuffer.wrap(bytes, length, CHECKSUM_BYTES).getInt() != checksum(bytes, length)) {
            return Optional.empty();
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 1, length - 1))) {
            int partition = Math.toIntExact(readVarLong(in));
            long from = readVarLong(in);
            OffsetSpan span = new OffsetSpan(partition, from, from + readVarLong(in));
            String tenantId = in.readUTF();
            int count = readCount(in);
            Map<String, MemberValues> members = HashMap.newHashMap(count);
            for (int i = 0; i < count; i++) {
                String column = in.readUTF();
                IndexKind terms = kind(in.readByte());
                long min = unzigzag(readVarLong(in));
                members.put(column, new MemberValues(terms, min, unzigzag(readVarLong(in))));
            }
            long[] words = new long[Math.min(Math.toIntExact(readVarLong(in)), BloomFilter.MAX_WORDS + 1)];
            ByteBuffer.wrap(in.readNBytes(words.length * Long.BYTES))
                    .asLongBuffer()
                    .get(words);
            return Optional.of(new TenantColumns(tenantId, span, members, new BloomFilter(words)));
        } catch (IOException | RuntimeException e) {
            // The checksum is right but the content is wrong: another program wrote it
            return Optional.empty();
        }
    }

    private static byte[] bytes(long[] words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES);
        bytes.asLongBuffer().put(words);
        return bytes.array();
    }

    private static int code(IndexKind kind) {
        return switch (kind) {
            case NONE -> 0;
            case KEYWORD -> KEYWORD;
            case TEXT -> TEXT;
        };
    }

    private static IndexKind kind(int code) throws IOException {
        return switch (code) {
            case 0 -> IndexKind.NONE;
            case KEYWORD -> IndexKind.KEYWORD;
            case TEXT -> IndexKind.TEXT;
            default -> throw new IOException("There are no terms of kind " + code);
        };
    }
}

package io.cordwood.hot.statistics;

import io.cordwood.hot.log.OffsetSpan;
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
import java.util.zip.CRC32C;

/**
 * The binary format of a chunk's statistics: version, partition and span; then for each tenant its id, rows, times and
 * offsets; last a CRC-32C of everything before. Numbers are variable-length, times relative to one another. Stateless.
 */
final class ChunkStatisticsFormat {
    private static final int VERSION = 1;
    static final int CHECKSUM_BYTES = Integer.BYTES;

    private ChunkStatisticsFormat() {}

    static byte[] encode(ChunkStatistics chunk) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            writeVarLong(out, chunk.span().partition());
            writeVarLong(out, chunk.span().from());
            writeVarLong(out, chunk.span().length());
            writeVarLong(out, chunk.tenants().size());
            long times = 0;
            for (Map.Entry<String, TenantRows> tenant : chunk.tenants().entrySet()) {
                TenantRows rows = tenant.getValue();
                out.writeUTF(tenant.getKey());
                writeVarLong(out, rows.rows());
                writeVarLong(out, zigzag(rows.minMicros() - times));
                writeVarLong(out, rows.maxMicros() - rows.minMicros());
                times = rows.minMicros();
                writeVarLong(out, rows.offsets().length);
                int before = 0;
                for (int offset : rows.offsets()) {
                    writeVarLong(out, offset - before);
                    before = offset;
                }
            }
            out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Empty if the bytes are damaged or of another version. */
    static Optional<ChunkStatistics> decode(byte[] bytes) {
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
            int count = readCount(in);
            Map<String, TenantRows> tenants = HashMap.newHashMap(count);
            long times = 0;
            for (int i = 0; i < count; i++) {
                String tenantId = in.readUTF();
                long rows = readVarLong(in);
                times += unzigzag(readVarLong(in));
                long maxMicros = times + readVarLong(in);
                int[] offsets = new int[readCount(in)];
                int before = 0;
                for (int at = 0; at < offsets.length; at++) {
                    before += Math.toIntExact(readVarLong(in));
                    offsets[at] = before;
                }
                tenants.put(tenantId, new TenantRows(rows, times, maxMicros, offsets));
            }
            return Optional.of(new ChunkStatistics(span, tenants));
        } catch (IOException | ArithmeticException | IllegalArgumentException e) {
            // The checksum is right but the content is wrong: another program wrote it
            return Optional.empty();
        }
    }

    /** A number of entries. Each entry takes at least one byte, so the remaining bytes bound the allocation. */
    static int readCount(DataInputStream in) throws IOException {
        long count = readVarLong(in);
        if (count < 0 || count > in.available()) {
            throw new IOException("%d entries in %d bytes".formatted(count, in.available()));
        }
        return (int) count;
    }

    static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    static long unzigzag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }

    static void writeVarLong(DataOutputStream out, long value) throws IOException {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            out.writeByte((int) (left & 0x7F) | 0x80);
            left >>>= 7;
        }
        out.writeByte((int) left);
    }

    static long readVarLong(DataInputStream in) throws IOException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = in.readUnsignedByte();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IOException("A number is too long");
    }
}

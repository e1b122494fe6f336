package io.cordwood.logblock.index;

import io.cordwood.logblock.encoding.BitSink;
import io.cordwood.logblock.encoding.BitSource;
import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.encoding.RleEncoding;
import java.io.IOException;
import java.util.Arrays;

/**
 * A table of the places of rare terms: sorted 32-bit fingerprints, in buckets by their upper bits, each with the column
 * block of its rows. A hit is a candidate; the caller must verify the values. Immutable.
 *
 * <p>A bucket consists of the number of its entries (varint), then for each entry the gap to the fingerprint before it
 * (Rice code) and the column block (fixed width), in bits, least significant first.
 *
 * @param bucketBits upper bits of a fingerprint that choose its bucket
 * @param riceBits parameter of the Rice code
 * @param blockBits bits of a column block's number
 * @param bucketOffsets start of each bucket in the table's bytes; one more entry than buckets
 */
record FingerprintTable(int bucketBits, int riceBits, int blockBits, int[] bucketOffsets) {
    private static final int BUCKET_ENTRIES = 128;
    private static final int BLOCK_SHIFT = 31;

    /** Reads bytes of the table. */
    @FunctionalInterface
    interface Bytes {
        byte[] read(int offset, int length) throws IOException;
    }

    /** A fingerprint and a column block as one number that sorts by unsigned fingerprint. */
    static long entry(int fingerprint, int block) {
        return (fingerprint & 0xFFFFFFFFL) << BLOCK_SHIFT | block;
    }

    static long fingerprint(long entry) {
        return entry >>> BLOCK_SHIFT;
    }

    static int block(long entry) {
        return (int) (entry & (1L << BLOCK_SHIFT) - 1);
    }

    /** Appends a table of these sorted entries to {@code out}. */
    static FingerprintTable write(long[] entries, int blockCount, ByteSink out) {
        int bucketBits = 32 - Integer.numberOfLeadingZeros(entries.length / BUCKET_ENTRIES);
        double gap = 0x1p32 / Math.max(1, entries.length);
        int riceBits = Math.clamp((long) Math.floor(Math.log(gap * Math.log(2)) / Math.log(2)), 0, 31);
        int blockBits = RleEncoding.bitWidth(Math.max(0, blockCount - 1));
        int[] offsets = new int[(1 << bucketBits) + 1];
        int start = out.size();
        int from = 0;
        for (int bucket = 0; bucket < 1 << bucketBits; bucket++) {
            offsets[bucket] = out.size() - start;
            int to = from;
            while (to < entries.length && fingerprint(entries[to]) >>> 32 - bucketBits == bucket) {
                to++;
            }
            writeBucket(entries, from, to, (long) bucket << 32 - bucketBits, riceBits, blockBits, out);
            from = to;
        }
        offsets[1 << bucketBits] = out.size() - start;
        return new FingerprintTable(bucketBits, riceBits, blockBits, offsets);
    }

    private static void writeBucket(
            long[] entries, int from, int to, long base, int riceBits, int blockBits, ByteSink out) {
        out.writeVarint(to - from);
        BitSink bits = new BitSink(out);
        long previous = base;
        for (int i = from; i < to; i++) {
            bits.writeRice(fingerprint(entries[i]) - previous, riceBits);
            bits.write(block(entries[i]), blockBits);
            previous = fingerprint(entries[i]);
        }
        bits.align();
    }

    /** The column blocks of terms with this fingerprint, ascending; mostly none or one. */
    int[] blocks(int fingerprint, Bytes bytes) throws IOException {
        long target = fingerprint & 0xFFFFFFFFL;
        int bucket = (int) (target >>> 32 - bucketBits);
        int length = bucketOffsets[bucket + 1] - bucketOffsets[bucket];
        Bucket entries = new Bucket(bucket, new ByteSource(bytes.read(bucketOffsets[bucket], length), 0, length));
        int[] found = new int[0];
        while (entries.next() && entries.fingerprint <= target) {
            if (entries.fingerprint == target && (found.length == 0 || found[found.length - 1] != entries.block)) {
                found = Arrays.copyOf(found, found.length + 1);
                found[found.length - 1] = entries.block;
            }
        }
        return found;
    }

    /** All entries, in order. */
    long[] entries(int count, Bytes bytes) throws IOException {
        ByteSource in = new ByteSource(bytes.read(0, byteCount()), 0, byteCount());
        long[] entries = new long[count];
        int size = 0;
        for (int number = 0; number < 1 << bucketBits; number++) {
            in.skip(bucketOffsets[number] - in.position());
            Bucket bucket = new Bucket(number, in);
            while (bucket.next()) {
                if (size == count) {
                    throw new IllegalStateException("a fingerprint table with more than %d entries".formatted(count));
                }
                entries[size++] = entry((int) bucket.fingerprint, bucket.block);
            }
        }
        return Arrays.copyOf(entries, size);
    }

    /** Reads the entries of a bucket, in order. */
    private final class Bucket {
        private final BitSource bits;
        private int left;
        /** The fingerprint of the entry, unsigned. */
        long fingerprint;

        /** The column block of the entry. */
        int block;

        /** @param in at the start of the bucket */
        Bucket(int number, ByteSource in) {
            left = in.readVarint32();
            bits = new BitSource(in);
            fingerprint = (long) number << 32 - bucketBits;
        }

        /** Moves to the next entry, if there is one. */
        boolean next() {
            if (left == 0) {
                return false;
            }
            left--;
            fingerprint += bits.readRice(riceBits);
            block = (int) bits.read(blockBits);
            return true;
        }
    }

    void writeHeader(ByteSink out) {
        out.writeVarint(bucketBits);
        out.writeVarint(riceBits);
        out.writeVarint(blockBits);
        for (int bucket = 0; bucket < 1 << bucketBits; bucket++) {
            out.writeVarint(bucketOffsets[bucket + 1] - bucketOffsets[bucket]);
        }
    }

    static FingerprintTable readHeader(ByteSource in) {
        int bucketBits = in.readVarint32();
        int riceBits = in.readVarint32();
        int blockBits = in.readVarint32();
        if (bucketBits > 25 || riceBits > 32 || blockBits > 31) {
            throw new IllegalStateException("fingerprint table with %d bucket bits, %d Rice bits, %d block bits"
                    .formatted(bucketBits, riceBits, blockBits));
        }
        int[] offsets = new int[(1 << bucketBits) + 1];
        for (int bucket = 0; bucket < 1 << bucketBits; bucket++) {
            offsets[bucket + 1] = offsets[bucket] + in.readVarint32();
        }
        return new FingerprintTable(bucketBits, riceBits, blockBits, offsets);
    }

    int byteCount() {
        return bucketOffsets[bucketOffsets.length - 1];
    }
}

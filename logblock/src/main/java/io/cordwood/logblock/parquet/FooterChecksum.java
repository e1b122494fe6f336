package io.cordwood.logblock.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.io.FileSink;
import io.cordwood.logblock.io.LogBlockException;
import io.cordwood.logblock.io.RangeReader;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * A checksum of page indexes and footer. Parquet has none for them, and a wrong bit in a bound there would hide rows.
 * It is stored right before the footer, which Parquet readers ignore. Not thread-safe.
 */
final class FooterChecksum {
    private static final byte[] MAGIC = "CWTC".getBytes(US_ASCII);
    private static final int LENGTH = 2 * Integer.BYTES + MAGIC.length;

    private final FileSink file;
    private final long start;
    private final CRC32C crc = new CRC32C();
    private final OutputStream out;

    /** Creates a checksum; page indexes begin at the current end of the file. */
    FooterChecksum(FileSink file) {
        this.file = file;
        this.start = file.position();
        this.out = new CheckedOutputStream(file, crc);
    }

    /** The stream to write page indexes to. */
    OutputStream out() {
        return out;
    }

    /** Writes the checksum and the footer. */
    void finish(byte[] footer) throws IOException {
        int indexBytes = Math.toIntExact(file.position() - start);
        crc.update(footer);
        ByteSink check = new ByteSink(LENGTH);
        check.writeInt(indexBytes);
        check.writeInt((int) crc.getValue());
        check.write(MAGIC, 0, MAGIC.length);
        file.write(check.bytes(), 0, check.size());
        file.write(footer);
    }

    /**
     * Verifies page indexes and footer. A file that other programs wrote has no checksum.
     *
     * @param end the last bytes of the file, including its page indexes
     * @throws LogBlockException if the checksum is wrong
     */
    static void require(RangeReader in, byte[] end, int footerStart, int footerEnd) throws LogBlockException {
        int checkStart = footerStart - LENGTH;
        if (checkStart < 0 || !Arrays.equals(end, footerStart - MAGIC.length, footerStart, MAGIC, 0, MAGIC.length)) {
            return;
        }
        ByteSource check = new ByteSource(end, checkStart, footerStart);
        int indexBytes = check.readInt();
        int expected = check.readInt();
        CRC32C found = new CRC32C();
        if (indexBytes >= 0 && indexBytes <= checkStart) {
            found.update(end, checkStart - indexBytes, indexBytes);
            found.update(end, footerStart, footerEnd - footerStart);
        }
        if ((int) found.getValue() != expected) {
            throw new LogBlockException(in.location(), "the checksum of its page indexes and footer is wrong: damaged");
        }
    }
}

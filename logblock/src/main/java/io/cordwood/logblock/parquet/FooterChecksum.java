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
 * A checksum over page indexes and footer, for which Parquet has none: a wrong bit in a bound there would hide rows. It
 * stands right before the footer, where readers of Parquet do not look. Not thread-safe.
 */
final class FooterChecksum {
    private static final byte[] MAGIC = "CWTC".getBytes(US_ASCII);
    private static final int LENGTH = 2 * Integer.BYTES + MAGIC.length;

    private final FileSink file;
    private final long start;
    private final CRC32C crc = new CRC32C();
    private final OutputStream out;

    /** Page indexes begin where the file now ends. */
    FooterChecksum(FileSink file) {
        this.file = file;
        this.start = file.position();
        this.out = new CheckedOutputStream(file, crc);
    }

    /** Where page indexes are written. */
    OutputStream out() {
        return out;
    }

    /** Writes the check and the footer. */
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
     * Makes sure that page indexes and footer are as they were written. A file that others wrote has no check.
     *
     * @param tail the end of the file; its page indexes are in it
     * @throws LogBlockException if they are not
     */
    static void require(RangeReader in, byte[] tail, int footerStart, int footerEnd) throws LogBlockException {
        int checkStart = footerStart - LENGTH;
        if (checkStart < 0 || !Arrays.equals(tail, footerStart - MAGIC.length, footerStart, MAGIC, 0, MAGIC.length)) {
            return;
        }
        ByteSource check = new ByteSource(tail, checkStart, footerStart);
        int indexBytes = check.readInt();
        int expected = check.readInt();
        CRC32C found = new CRC32C();
        if (indexBytes >= 0 && indexBytes <= checkStart) {
            found.update(tail, checkStart - indexBytes, indexBytes);
            found.update(tail, footerStart, footerEnd - footerStart);
        }
        if ((int) found.getValue() != expected) {
            throw new LogBlockException(in.location(), "the checksum of its page indexes and footer is wrong: damaged");
        }
    }
}

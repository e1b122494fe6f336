package io.cordwood.gateway.door;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Unpacks gzip (RFC 1952): members that follow each other, and nothing else. {@link java.util.zip.GZIPInputStream}
 * takes what breaks off behind a member for the end, and ends with a stack overflow on many empty ones. The reader of
 * commons-compress keeps the names of members, however long they are. Not thread-safe.
 */
final class GzipMembers extends InputStream {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int MAGIC = 0x8B1F;
    private static final int DEFLATE = 8;
    /** Modification time, extra flags and operating system. */
    private static final int ABOUT_FILE_BYTES = 6;

    private static final int HAS_CHECKSUM = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] packed = new byte[BUFFER_BYTES];
    private int at;
    private int limit;
    private boolean isInMember;
    private boolean isFirst = true;

    GzipMembers(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (isInMember || startMember()) {
            int count = inflate(target, from, length);
            if (count > 0) {
                checksum.update(target, from, count);
                return count;
            }
            endMember();
        }
        return -1;
    }

    /** Returns 0 at the end of the member. */
    private int inflate(byte[] target, int from, int length) throws IOException {
        try {
            int count = inflater.inflate(target, from, length);
            while (count == 0 && !inflater.finished()) {
                if (!fill()) {
                    throw new EOFException("it ends inside a member");
                }
                inflater.setInput(packed, at, limit - at);
                count = inflater.inflate(target, from, length);
            }
            return count;
        } catch (DataFormatException e) {
            throw (ZipException) new ZipException(e.getMessage()).initCause(e);
        }
    }

    private boolean startMember() throws IOException {
        if (at == limit && !fill()) {
            if (isFirst) {
                throw new EOFException("it is empty");
            }
            return false;
        }
        isFirst = false;
        checksum.reset();
        if (readNumber(2) != MAGIC || readHeaderByte() != DEFLATE) {
            throw new ZipException("it has bytes that are no member of gzip");
        }
        int flags = readHeaderByte();
        if ((flags & RESERVED) != 0) {
            throw new ZipException("a member has unknown flags");
        }
        skip(ABOUT_FILE_BYTES);
        if ((flags & HAS_EXTRA) != 0) {
            skip((int) readNumber(2));
        }
        for (int texts = Integer.bitCount(flags & (HAS_NAME | HAS_COMMENT)); texts > 0; ) {
            texts -= readHeaderByte() == 0 ? 1 : 0;
        }
        if ((flags & HAS_CHECKSUM) != 0) {
            long expected = checksum.getValue() & 0xFFFF;
            require(readNumber(2) == expected);
        }
        checksum.reset();
        inflater.reset();
        inflater.setInput(packed, at, limit - at);
        isInMember = true;
        return true;
    }

    private void endMember() throws IOException {
        at = limit - inflater.getRemaining();
        isInMember = false;
        long expected = checksum.getValue();
        require(readNumber(4) == expected);
        require(readNumber(4) == (inflater.getBytesWritten() & 0xFFFF_FFFFL));
    }

    private static void require(boolean isRight) throws ZipException {
        if (!isRight) {
            throw new ZipException("the checksum or length of a member is wrong");
        }
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            readHeaderByte();
        }
    }

    /** Reads a number whose lowest byte comes first. */
    private long readNumber(int bytes) throws IOException {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= (long) readHeaderByte() << (8 * i);
        }
        return number;
    }

    private int readHeaderByte() throws IOException {
        if (at == limit && !fill()) {
            throw new EOFException("it ends inside a member");
        }
        int octet = packed[at++] & 0xFF;
        checksum.update(octet);
        return octet;
    }

    private boolean fill() throws IOException {
        at = 0;
        limit = Math.max(0, in.read(packed, 0, packed.length));
        return limit > 0;
    }

    @Override
    public void close() {
        inflater.end();
    }
}

package io.cordwood.catalog.io;

import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * Input stream of an object that reads ranges, each by one request; sequential reads use growing ranges. Not
 * thread-safe.
 */
final class S3InputStream extends SeekableInputStream {
    private static final int FIRST_LENGTH = 256 << 10;
    private static final int LARGEST_LENGTH = 8 << 20;

    private final S3Object object;
    private byte[] buffer = new byte[0];
    private long bufferOffset;
    private long position;
    private int nextLength = FIRST_LENGTH;
    private boolean closed;

    S3InputStream(S3Object object) {
        this.object = object;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void seek(long newPosition) throws IOException {
        if (newPosition < 0) {
            throw new EOFException("Cannot seek to %d in %s".formatted(newPosition, object.location()));
        }
        position = newPosition;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (closed) {
            throw new IOException("The stream of %s is closed".formatted(object.location()));
        }
        if (length == 0) {
            return 0;
        }
        if (!isInBuffer()) {
            fetch(length);
        }
        if (!isInBuffer()) {
            return -1;
        }
        int from = (int) (position - bufferOffset);
        int count = Math.min(length, buffer.length - from);
        System.arraycopy(buffer, from, target, offset, count);
        position += count;
        return count;
    }

    private boolean isInBuffer() {
        return position >= bufferOffset && position < bufferOffset + buffer.length;
    }

    private void fetch(int required) throws IOException {
        boolean sequential = position == bufferOffset + buffer.length;
        nextLength = sequential ? Math.min(LARGEST_LENGTH, 2 * nextLength) : FIRST_LENGTH;
        buffer = object.read(position, Math.clamp(required, nextLength, LARGEST_LENGTH));
        bufferOffset = position;
    }

    @Override
    public void close() {
        closed = true;
        buffer = new byte[0];
    }
}

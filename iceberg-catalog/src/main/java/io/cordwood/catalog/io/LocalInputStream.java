package io.cordwood.catalog.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;

/** Buffered input stream of a local file, with ranges. Not thread-safe. */
final class LocalInputStream extends SeekableInputStream implements RangeReadable {
    private static final int BUFFER_BYTES = 16 << 10;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    /** Offset in the file of the buffer's end. */
    private long bufferEnd;

    LocalInputStream(FileChannel channel) {
        this.channel = channel;
    }

    @Override
    public long getPos() {
        return bufferEnd - buffer.remaining();
    }

    @Override
    public void seek(long position) throws IOException {
        if (position < 0) {
            throw new EOFException("Cannot seek to %d".formatted(position));
        }
        long bufferStart = bufferEnd - buffer.limit();
        if (position >= bufferStart && position <= bufferEnd) {
            buffer.position((int) (position - bufferStart));
        } else {
            buffer.position(0).limit(0);
            bufferEnd = position;
        }
    }

    @Override
    public int read() throws IOException {
        return fill() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!buffer.hasRemaining() && length >= BUFFER_BYTES) {
            int read = channel.read(ByteBuffer.wrap(target, offset, length), bufferEnd);
            if (read > 0) {
                buffer.position(0).limit(0);
                bufferEnd += read;
            }
            return read;
        }
        if (!fill()) {
            return -1;
        }
        int read = Math.min(length, buffer.remaining());
        buffer.get(target, offset, read);
        return read;
    }

    /** Fills an empty buffer; false at the end of the file. */
    private boolean fill() throws IOException {
        if (buffer.hasRemaining()) {
            return true;
        }
        buffer.clear();
        int read = channel.read(buffer, bufferEnd);
        buffer.flip();
        if (read > 0) {
            bufferEnd += read;
        }
        return read > 0;
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.wrap(target, offset, length);
        long at = position;
        while (into.hasRemaining()) {
            int read = channel.read(into, at);
            if (read < 0) {
                throw new EOFException("The file ends %d bytes before the range".formatted(into.remaining()));
            }
            at += read;
        }
    }

    @Override
    public int readTail(byte[] target, int offset, int length) throws IOException {
        int count = (int) Math.min(length, channel.size());
        readFully(channel.size() - count, target, offset, count);
        return count;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

package io.cordwood.catalog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.io.PositionOutputStream;

/** Buffered writing of a local file that gets its name when it is complete. Not thread-safe. */
final class LocalOutputStream extends PositionOutputStream {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path incomplete;
    private final LocalOutputFile.Publication publication;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long flushed;

    LocalOutputStream(Path incomplete, LocalOutputFile.Publication publication) throws IOException {
        this.incomplete = incomplete;
        this.publication = publication;
        this.channel = FileChannel.open(incomplete, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public long getPos() {
        return flushed + buffer.position();
    }

    @Override
    public void write(int b) throws IOException {
        if (!buffer.hasRemaining()) {
            flush();
        }
        buffer.put((byte) b);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        if (length > buffer.remaining()) {
            flush();
        }
        if (length > buffer.capacity()) {
            writeFully(ByteBuffer.wrap(source, offset, length));
        } else {
            buffer.put(source, offset, length);
        }
    }

    @Override
    public void flush() throws IOException {
        writeFully(buffer.flip());
        buffer.clear();
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            flushed += channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            try (channel) {
                flush();
                channel.force(true);
            }
            publication.publish(incomplete);
        }
    }
}

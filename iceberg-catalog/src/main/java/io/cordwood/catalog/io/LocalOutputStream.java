package io.cordwood.catalog.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.io.PositionOutputStream;

/**
 * Buffered output stream of a local file that gets its name when it is complete. Not thread-safe.
 *
 * <p>After a failed write, flush or close, the file is abandoned: the written bytes are deleted, no file gets the name,
 * and a later {@link #close} throws. The first close decides; further ones do nothing.
 */
final class LocalOutputStream extends PositionOutputStream {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path incomplete;
    private final LocalOutputFile.Publication publication;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long flushed;
    private boolean givenUp;
    private boolean closed;

    LocalOutputStream(Path incomplete, LocalOutputFile.Publication publication) throws IOException {
        this(
                incomplete,
                publication,
                FileChannel.open(incomplete, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    LocalOutputStream(Path incomplete, LocalOutputFile.Publication publication, FileChannel channel) {
        this.incomplete = incomplete;
        this.publication = publication;
        this.channel = channel;
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
        try {
            while (bytes.hasRemaining()) {
                flushed += channel.write(bytes);
            }
        } catch (IOException | RuntimeException e) {
            giveUp(e);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (givenUp) {
            throw new IOException("Nothing was written: an earlier write to %s failed".formatted(incomplete));
        }
        try {
            flush();
            channel.force(true);
            channel.close();
            publication.publish(incomplete);
        } catch (IOException | RuntimeException e) {
            giveUp(e);
            throw e;
        }
    }

    private void giveUp(Exception cause) {
        givenUp = true;
        try {
            channel.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        try {
            Files.deleteIfExists(incomplete);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}

package io.cordwood.logblock.io;

import java.io.IOException;
import java.io.OutputStream;

/** An output stream of the file being written, with its position. Not thread-safe. */
public final class FileSink extends OutputStream {
    private final OutputStream out;
    private long position;

    public FileSink(OutputStream out) {
        this.out = out;
    }

    public long position() {
        return position;
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
        position++;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        out.write(bytes, from, count);
        position += count;
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}

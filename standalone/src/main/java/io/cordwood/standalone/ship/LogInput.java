package io.cordwood.standalone.ship;

import com.github.luben.zstd.ZstdInputStream;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** Opens files of log lines, decompresses them by their extension, and counts the bytes read from disk. */
final class LogInput {
    private static final int BUFFER = 1 << 16;

    private LogInput() {}

    /**
     * Opens a file.
     *
     * @param counted counts the bytes read from the file on disk
     * @throws CordwoodException if it cannot be opened
     */
    static InputStream open(Path file, AtomicLong counted) {
        String name = file.getFileName().toString();
        try {
            InputStream input = counting(Files.newInputStream(file), counted);
            if (name.endsWith(".gz")) {
                return new GZIPInputStream(input, BUFFER);
            }
            if (name.endsWith(".xz")) {
                return new XZInputStream(input);
            }
            return name.endsWith(".zst") ? new ZstdInputStream(input) : input;
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s: %s".formatted(file, Errors.text(e)), e);
        }
    }

    static InputStream counting(InputStream input, AtomicLong counted) {
        return new FilterInputStream(input) {
            @Override
            public int read() throws IOException {
                int read = super.read();
                if (read >= 0) {
                    counted.incrementAndGet();
                }
                return read;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int read = super.read(target, offset, length);
                counted.addAndGet(Math.max(0, read));
                return read;
            }
        };
    }
}

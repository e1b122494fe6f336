package io.cordwood.standalone.ship;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Splits a stream of bytes into lines, which end in {@code \n} or {@code \r\n}; the last may end with the stream. Works
 * on bytes, since most lines are shipped as they are. Not thread-safe.
 */
final class LineReader {
    private static final int FIRST_BUFFER = 1 << 18;

    private final InputStream input;
    private byte[] buffer = new byte[FIRST_BUFFER];
    private int start;
    private int end;
    private boolean ended;

    LineReader(InputStream input) {
        this.input = input;
    }

    /** The next line without its end; empty at the end of the stream. */
    Optional<byte[]> next() throws IOException {
        int searched = start;
        while (true) {
            for (int i = searched; i < end; i++) {
                if (buffer[i] == '\n') {
                    byte[] line = line(i);
                    start = i + 1;
                    return Optional.of(line);
                }
            }
            searched = end;
            if (ended) {
                return last();
            }
            int moved = start;
            fill();
            // Filling may have moved what was there to the front.
            searched -= moved - start;
        }
    }

    private Optional<byte[]> last() {
        if (start == end) {
            return Optional.empty();
        }
        byte[] line = line(end);
        start = end;
        return Optional.of(line);
    }

    private byte[] line(int lineEnd) {
        int stop = lineEnd > start && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
        return Arrays.copyOfRange(buffer, start, stop);
    }

    private void fill() throws IOException {
        if (end == buffer.length) {
            byte[] target = start == 0 ? new byte[Math.multiplyExact(buffer.length, 2)] : buffer;
            System.arraycopy(buffer, start, target, 0, end - start);
            buffer = target;
            end -= start;
            start = 0;
        }
        int read = input.read(buffer, end, buffer.length - end);
        if (read < 0) {
            ended = true;
        } else {
            end += read;
        }
    }
}

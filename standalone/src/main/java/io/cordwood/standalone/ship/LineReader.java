package io.cordwood.standalone.ship;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.util.Arrays;
import java.util.Optional;

/**
 * Splits a stream of bytes into lines, which end in {@code \n} or {@code \r\n}; the last may end with the stream. Works
 * on bytes, because most lines are shipped unchanged. Not thread-safe.
 */
final class LineReader {
    /** The longest line that can be read, in bytes: the limit of a record. */
    static final int LONGEST_LINE_BYTES = 16 << 20;

    private static final int FIRST_BUFFER = 1 << 18;
    private static final int LARGEST_BUFFER = LONGEST_LINE_BYTES + "\r\n".length();

    private final InputStream input;
    private byte[] buffer = new byte[FIRST_BUFFER];
    private int start;
    private int end;
    private boolean ended;

    LineReader(InputStream input) {
        this.input = input;
    }

    /** A line does not fit into a record. */
    static final class LineTooLongException extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        private LineTooLongException() {
            super("more than the 16 MB a record can hold");
        }
    }

    /**
     * The next line without its end; empty at the end of the stream.
     *
     * @throws LineTooLongException if it has more than {@link #LONGEST_LINE_BYTES}; the reader cannot be used any more
     */
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
            // Filling may have moved the data to the front.
            searched -= moved - start;
        }
    }

    /** Whether the next line has been read from the stream already, so that it comes at once. */
    boolean hasNextAtHand() {
        for (int i = start; i < end; i++) {
            if (buffer[i] == '\n') {
                return true;
            }
        }
        return false;
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
            if (start == 0 && buffer.length == LARGEST_BUFFER) {
                throw new LineTooLongException();
            }
            byte[] target = start == 0 ? new byte[Math.min(buffer.length * 2, LARGEST_BUFFER)] : buffer;
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

package io.cordwood.gateway.syslog;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Cuts a stream of bytes into messages (RFC 6587): each has its length before it, or an end of line behind it. A
 * message that is too long is cut. Not thread-safe.
 */
final class SyslogFrames {
    static final int MAX_MESSAGE_BYTES = 1 << 20;

    /** Of the first message, before its sender is known. */
    static final int MAX_FIRST_BYTES = 64 << 10;

    private static final int BUFFER_BYTES = 8 << 10;
    private static final int MAX_LENGTH_DIGITS = 9;

    private final InputStream in;
    private byte[] message = new byte[1024];
    private int length;
    private int maxBytes = MAX_FIRST_BYTES;

    SyslogFrames(InputStream in) {
        this.in = new BufferedInputStream(in, BUFFER_BYTES);
    }

    /** The sender is known: its messages may be longer. */
    void trust() {
        maxBytes = MAX_MESSAGE_BYTES;
    }

    /** Frees the memory of a long message: the sender may be silent for long. */
    void release() {
        if (message.length > MAX_FIRST_BYTES) {
            message = new byte[1024];
        }
    }

    /** Whether the next message, if it is not long, has come already. */
    boolean hasNextAtHand() throws IOException {
        int atHand = Math.min(in.available(), BUFFER_BYTES);
        in.mark(atHand);
        byte[] bytes = in.readNBytes(atHand);
        in.reset();
        int digits = 0;
        int size = 0;
        while (digits < bytes.length && digits < MAX_LENGTH_DIGITS && bytes[digits] >= '0' && bytes[digits] <= '9') {
            size = 10 * size + bytes[digits++] - '0';
        }
        if (digits > 0 && digits < bytes.length && bytes[digits] == ' ') {
            return bytes.length - digits > size;
        }
        for (byte each : bytes) {
            if (each == '\n') {
                return true;
            }
        }
        return false;
    }

    /**
     * The next message; empty at the end of the stream.
     *
     * @throws IOException if the sender is gone, or the stream ends inside a message of a known length
     */
    Optional<byte[]> next() throws IOException {
        while (true) {
            int first = in.read();
            if (first < 0) {
                return Optional.empty();
            }
            length = 0;
            boolean isComplete = first >= '1' && first <= '9' ? readCounted(first) : readLine(first);
            if (isComplete && length > 0) {
                return Optional.of(Arrays.copyOf(message, length));
            }
        }
    }

    /** A message after its length; a line that only begins with a number is a line. */
    private boolean readCounted(int first) throws IOException {
        int size = first - '0';
        add(first);
        for (int digits = 1; digits <= MAX_LENGTH_DIGITS; digits++) {
            int next = in.read();
            if (next == ' ') {
                readBytes(size);
                return true;
            }
            if (next < '0' || next > '9') {
                return next < 0 || readLine(next);
            }
            size = size * 10 + next - '0';
            add(next);
        }
        return readLine(in.read());
    }

    private void readBytes(int size) throws IOException {
        length = 0;
        int kept = Math.min(size, maxBytes);
        while (length < kept) {
            if (length == message.length) {
                message = Arrays.copyOf(message, 2 * length);
            }
            int read = in.read(message, length, Math.min(kept, message.length) - length);
            if (read < 0) {
                throw new IOException("The stream ends inside a message");
            }
            length += read;
        }
        in.skipNBytes((long) size - kept);
    }

    private boolean readLine(int first) throws IOException {
        int next = first;
        while (next >= 0 && next != '\n') {
            add(next);
            next = in.read();
        }
        while (length > 0 && (message[length - 1] == '\r' || message[length - 1] == 0)) {
            length--;
        }
        return true;
    }

    private void add(int octet) {
        if (length == maxBytes) {
            return;
        }
        if (length == message.length) {
            message = Arrays.copyOf(message, 2 * length);
        }
        message[length++] = (byte) octet;
    }
}

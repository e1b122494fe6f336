package io.cordwood.gateway.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Writes protobuf; fields have numbers below 16. Not thread-safe. */
final class ProtobufWriter {
    private static final int VARINT = 0;
    private static final int BYTES = 2;
    private static final int MAX_VARINT_BYTES = 10;

    private byte[] bytes;
    private int length;

    /** @param expected bytes that will be written */
    ProtobufWriter(int expected) {
        bytes = new byte[expected];
    }

    ProtobufWriter() {
        this(MAX_VARINT_BYTES);
    }

    /** Size of a field of bytes. */
    static long fieldSize(long content) {
        int size = 1;
        for (long left = content >>> 7; left != 0; left >>>= 7) {
            size++;
        }
        return 1 + size + content;
    }

    /** Starts a field of bytes, which follow. */
    void start(int field, long content) {
        tag(field, BYTES);
        varint(content);
    }

    void number(int field, long value) {
        tag(field, VARINT);
        varint(value);
    }

    void string(int field, String text) {
        byte[] encoded = text.getBytes(UTF_8);
        start(field, encoded.length);
        raw(encoded, 0, encoded.length);
    }

    void message(int field, ProtobufWriter message) {
        start(field, message.length);
        raw(message.bytes, 0, message.length);
    }

    /** Copies bytes as they are. */
    void raw(byte[] source, int from, int to) {
        ensure(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    private void tag(int field, int wireType) {
        ensure(1);
        bytes[length++] = (byte) (field << 3 | wireType);
    }

    private void varint(long value) {
        ensure(MAX_VARINT_BYTES);
        long left = value;
        while ((left & ~0x7FL) != 0) {
            bytes[length++] = (byte) (left & 0x7F | 0x80);
            left >>>= 7;
        }
        bytes[length++] = (byte) left;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }
}

package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A reader of the fields of one protobuf message in a byte array; a nested message has its own reader. Not thread-safe.
 */
public final class ProtobufReader {
    public static final int VARINT = 0;
    public static final int FIXED64 = 1;
    public static final int BYTES = 2;
    public static final int FIXED32 = 5;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] data;
    private final int end;
    private int position;
    private int field;
    private int wireType;
    private long bits;
    private int start;
    private int stop;

    public ProtobufReader(byte[] data, int from, int to) {
        this.data = data;
        this.position = from;
        this.end = to;
    }

    /**
     * Reads the next field; false at the end of the message.
     *
     * @throws UndecodableRecordException if the bytes are not protobuf
     */
    public boolean next() throws UndecodableRecordException {
        if (position == end) {
            return false;
        }
        long tag = varint();
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        if (tag >>> 32 != 0 || field == 0) {
            throw malformed("has an invalid tag");
        }
        switch (wireType) {
            case VARINT -> bits = varint();
            case FIXED64 -> {
                need(8);
                bits = (long) LONG.get(data, position);
                position += 8;
            }
            case BYTES -> {
                long length = varint();
                if (length < 0 || length > end - position) {
                    throw malformed("has a field that reaches past its end");
                }
                start = position;
                stop = position + (int) length;
                position = stop;
            }
            case FIXED32 -> {
                need(4);
                bits = (int) INT.get(data, position) & 0xFFFFFFFFL;
                position += 4;
            }
            default -> throw malformed("has a field of wire type " + wireType);
        }
        return true;
    }

    /** The end of the field, where the next one begins. */
    public int position() {
        return position;
    }

    public int field() {
        return field;
    }

    /** The field's bits; checks its wire type. */
    public long bits(int expected) throws UndecodableRecordException {
        check(expected);
        return bits;
    }

    /** The start of the field's bytes; checks that the field has bytes. */
    public int start() throws UndecodableRecordException {
        check(BYTES);
        return start;
    }

    public int stop() {
        return stop;
    }

    /** The nested message that the field is. */
    public ProtobufReader message() throws UndecodableRecordException {
        check(BYTES);
        return new ProtobufReader(data, start, stop);
    }

    private void check(int expected) throws UndecodableRecordException {
        if (wireType != expected) {
            throw malformed("has field %d with wire type %d instead of %d".formatted(field, wireType, expected));
        }
    }

    private long varint() throws UndecodableRecordException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            need(1);
            byte b = data[position++];
            value |= (b & 0x7FL) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw malformed("has a varint of more than 64 bits");
    }

    private void need(int count) throws UndecodableRecordException {
        if (end - position < count) {
            throw malformed("ends within a field");
        }
    }

    private UndecodableRecordException malformed(String what) {
        return new UndecodableRecordException(
                Reason.MALFORMED_OTLP, "A protobuf message %s at byte %d".formatted(what, position));
    }
}

package io.cordwood.ingest.serial;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The serialized form of text and bytes in the job's serializers: a length, then the bytes. */
public final class Wire {
    private static final byte[] EMPTY = new byte[0];

    private Wire() {}

    public static void writeBytes(byte[] bytes, DataOutputView out) throws IOException {
        writeLength(bytes.length, out);
        out.write(bytes);
    }

    public static byte[] readBytes(DataInputView in) throws IOException {
        int length = readLength(in);
        if (length == 0) {
            return EMPTY;
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    public static void writeText(String text, DataOutputView out) throws IOException {
        writeBytes(text.getBytes(UTF_8), out);
    }

    public static String readText(DataInputView in) throws IOException {
        return new String(readBytes(in), UTF_8);
    }

    /** Seven bits a byte, low bits first. */
    public static void writeLength(int length, DataOutputView out) throws IOException {
        int rest = length;
        while ((rest & ~0x7f) != 0) {
            out.writeByte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    public static int readLength(DataInputView in) throws IOException {
        int length = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int next = in.readByte();
            length |= (next & 0x7f) << shift;
            if (next >= 0) {
                return length;
            }
        }
        throw new IOException("A length is longer than five bytes");
    }
}

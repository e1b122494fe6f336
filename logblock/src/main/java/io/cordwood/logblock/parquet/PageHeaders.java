package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSource;
import io.cordwood.logblock.encoding.MalformedPageException;
import java.util.Optional;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;

/**
 * A hand-written reader of page headers: a {@code PageHeader} in Thrift's compact protocol, most of whose fields are
 * skipped. A general reader would take as long for the header as decoding a page of a thousand times takes. Stateless.
 */
final class PageHeaders {
    /** Field types of Thrift's compact protocol. {@link #skip} reads past values; TRUE and FALSE are values. */
    private static final int STOP = 0;

    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    private static final int I16 = 4;
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int MAP = 11;
    private static final int STRUCT = 12;

    private static final int MAX_DEPTH = 16;
    private static final int ABSENT = -1;

    private PageHeaders() {}

    /**
     * A page header.
     *
     * @param type the page's type; absent if unknown
     * @param encoding encoding of the values; PLAIN for a dictionary, absent if unknown
     */
    record Header(
            Optional<PageType> type,
            int uncompressedSize,
            int compressedSize,
            Optional<Integer> crc,
            int values,
            Optional<Encoding> encoding) {}

    /** Reads a header and moves past it. */
    static Header read(ByteSource in) {
        int type = ABSENT;
        int uncompressedSize = ABSENT;
        int compressedSize = ABSENT;
        Optional<Integer> crc = Optional.empty();
        Counts counts = new Counts(ABSENT, ABSENT);
        int id = 0;
        for (int field = in.readByte(); field != STOP; field = in.readByte()) {
            id = fieldId(field, id, in);
            int wire = field & 0xF;
            switch (id) {
                case 1 -> type = readInt(wire, in);
                case 2 -> uncompressedSize = readInt(wire, in);
                case 3 -> compressedSize = readInt(wire, in);
                case 4 -> crc = Optional.of(readInt(wire, in));
                // The headers of a data page and of a dictionary
                case 5, 7 -> counts = readCounts(wire, in);
                default -> skip(wire, in, 0);
            }
        }
        return new Header(
                Optional.ofNullable(PageType.findByValue(type)),
                uncompressedSize,
                compressedSize,
                crc,
                counts.values(),
                Optional.ofNullable(Encoding.findByValue(counts.encoding())));
    }

    /** The first two fields of either kind of header. */
    private record Counts(int values, int encoding) {}

    private static Counts readCounts(int wire, ByteSource in) {
        require(wire == STRUCT, wire);
        int values = ABSENT;
        int encoding = ABSENT;
        int id = 0;
        for (int field = in.readByte(); field != STOP; field = in.readByte()) {
            id = fieldId(field, id, in);
            switch (id) {
                case 1 -> values = readInt(field & 0xF, in);
                case 2 -> encoding = readInt(field & 0xF, in);
                default -> skip(field & 0xF, in, 0);
            }
        }
        return new Counts(values, encoding);
    }

    /** Reads a field's number, which is stored as the difference to the one before, or in full if that is not small. */
    private static int fieldId(int field, int before, ByteSource in) {
        int delta = field >>> 4;
        return delta == 0 ? (int) in.readZigZag() : before + delta;
    }

    private static int readInt(int wire, ByteSource in) {
        require(wire == I32, wire);
        return (int) in.readZigZag();
    }

    private static void skip(int wire, ByteSource in, int depth) {
        require(depth < MAX_DEPTH, wire);
        switch (wire) {
            case TRUE, FALSE -> {
                // The type of a boolean field is its value
            }
            case BYTE -> in.skip(1);
            case I16, I32, I64 -> in.readVarint();
            case DOUBLE -> in.skip(Double.BYTES);
            case BINARY -> in.skip(in.readVarint32());
            case LIST, SET -> skipList(in, depth);
            case MAP -> skipMap(in, depth);
            case STRUCT -> {
                int id = 0;
                for (int field = in.readByte(); field != STOP; field = in.readByte()) {
                    id = fieldId(field, id, in);
                    skip(field & 0xF, in, depth + 1);
                }
            }
            default -> require(false, wire);
        }
    }

    private static void skipList(ByteSource in, int depth) {
        int head = in.readByte();
        int size = head >>> 4 == 0xF ? in.readVarint32() : head >>> 4;
        for (int i = 0; i < size; i++) {
            skipElement(head & 0xF, in, depth);
        }
    }

    private static void skipMap(ByteSource in, int depth) {
        int size = in.readVarint32();
        int types = size == 0 ? 0 : in.readByte();
        for (int i = 0; i < size; i++) {
            skipElement(types >>> 4, in, depth);
            skipElement(types & 0xF, in, depth);
        }
    }

    /** Skips an element of a collection, where a boolean takes a byte. */
    private static void skipElement(int wire, ByteSource in, int depth) {
        skip(wire == TRUE || wire == FALSE ? BYTE : wire, in, depth + 1);
    }

    private static void require(boolean condition, int wire) {
        if (!condition) {
            throw new MalformedPageException("a page header with a field of type %d".formatted(wire));
        }
    }
}

package io.cordwood.search.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;

/** The body of a record batch: the buffers of its vectors, in Arrow's order. Not thread-safe. */
final class ArrowBody {
    private static final int NONE = 0;
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private record Node(int length, int nulls) {}

    private final List<Node> nodes = new ArrayList<>();
    private final List<ByteBuffer> buffers = new ArrayList<>();

    private ArrowBody() {}

    static ArrowBody of(List<Vector> vectors) {
        ArrowBody body = new ArrowBody();
        vectors.forEach(body::add);
        return body;
    }

    private void add(Vector vector) {
        nodes.add(new Node(vector.length(), vector.nulls().count()));
        buffers.add(validity(vector));
        switch (vector) {
            case LongVector longs -> {
                ByteBuffer bytes = allocate(Long.BYTES * longs.length());
                bytes.asLongBuffer().put(longs.values(), 0, longs.length());
                buffers.add(bytes);
            }
            case DoubleVector doubles -> {
                ByteBuffer bytes = allocate(Double.BYTES * doubles.length());
                bytes.asDoubleBuffer().put(doubles.values(), 0, doubles.length());
                buffers.add(bytes);
            }
            case BooleanVector booleans -> buffers.add(bits(booleans));
            case StringVector strings -> addText(strings);
            case MapVector maps -> {
                buffers.add(ints(maps.entryOffsets(), maps.length() + 1));
                nodes.add(new Node(maps.entryOffsets()[maps.length()], 0));
                buffers.add(EMPTY);
                add(maps.keys());
                add(maps.values());
            }
        }
    }

    private static ByteBuffer validity(Vector vector) {
        if (vector.nulls().isEmpty()) {
            return EMPTY;
        }
        ByteBuffer bits = allocate(bitBytes(vector.length()));
        for (int i = 0; i < vector.length(); i++) {
            if (!vector.isNull(i)) {
                setBit(bits, i);
            }
        }
        return bits;
    }

    private static ByteBuffer bits(BooleanVector booleans) {
        ByteBuffer bits = allocate(bitBytes(booleans.length()));
        for (int i = 0; i < booleans.length(); i++) {
            if (booleans.values()[i]) {
                setBit(bits, i);
            }
        }
        return bits;
    }

    private static int bitBytes(int bits) {
        return (bits + Byte.SIZE - 1) / Byte.SIZE;
    }

    private static void setBit(ByteBuffer bits, int index) {
        int at = index / Byte.SIZE;
        bits.put(at, (byte) (bits.get(at) | 1 << index % Byte.SIZE));
    }

    private void addText(StringVector strings) {
        if (!strings.isDictionary() && strings.offsets()[0] == 0) {
            buffers.add(ints(strings.offsets(), strings.length() + 1));
            buffers.add(ByteBuffer.wrap(strings.bytes(), 0, strings.offsets()[strings.length()]));
            return;
        }
        int[] offsets = new int[strings.length() + 1];
        for (int i = 0; i < strings.length(); i++) {
            offsets[i + 1] = Math.addExact(offsets[i], textLength(strings, i));
        }
        byte[] bytes = new byte[offsets[strings.length()]];
        for (int i = 0; i < strings.length(); i++) {
            if (offsets[i + 1] > offsets[i]) {
                System.arraycopy(
                        strings.bytes(),
                        strings.offsets()[strings.slot(i)],
                        bytes,
                        offsets[i],
                        offsets[i + 1] - offsets[i]);
            }
        }
        buffers.add(ints(offsets, offsets.length));
        buffers.add(ByteBuffer.wrap(bytes));
    }

    private static int textLength(StringVector strings, int position) {
        if (strings.isNull(position)) {
            return 0;
        }
        int slot = strings.slot(position);
        return strings.offsets()[slot + 1] - strings.offsets()[slot];
    }

    private static ByteBuffer ints(int[] values, int length) {
        ByteBuffer bytes = allocate(Integer.BYTES * length);
        bytes.asIntBuffer().put(values, 0, length);
        return bytes;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    List<ByteBuffer> buffers() {
        return buffers;
    }

    /** The length of all buffers, with padding. */
    long size() {
        return buffers.stream()
                .mapToLong(buffer -> ArrowWriter.padded(buffer.remaining()))
                .sum();
    }

    /** Writes the description of the batch, and returns its offset. */
    int writeRecordBatch(FlatBufferBuilder builder, int rows) {
        RecordBatch.startNodesVector(builder, nodes.size());
        // FlatBuffers are written from their end
        for (Node node : nodes.reversed()) {
            FieldNode.createFieldNode(builder, node.length(), node.nulls());
        }
        int nodeVector = builder.endVector();
        long end = size();
        RecordBatch.startBuffersVector(builder, buffers.size());
        for (ByteBuffer buffer : buffers.reversed()) {
            end -= ArrowWriter.padded(buffer.remaining());
            Buffer.createBuffer(builder, end, buffer.remaining());
        }
        int bufferVector = builder.endVector();
        return RecordBatch.createRecordBatch(builder, rows, nodeVector, bufferVector, NONE, NONE);
    }
}

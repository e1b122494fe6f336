package io.cordwood.catalog.commit;

import io.cordwood.logblock.sketch.DistinctSketch;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.DataFile;

/**
 * Sketches of a LogBlock's distinct values in Iceberg's manifests, stored beside its token filter and in the same way
 * ({@link ManifestFilters}). The value is one byte of version, then for each column its field id in four bytes,
 * big-endian, and its sketch. Stateless, thread-safe.
 */
public final class ManifestSketches {
    /** The next id after that of the token filter. */
    public static final int FIELD_ID = ManifestFilters.FIELD_ID + 1;

    private static final byte VERSION = 1;
    private static final int ENTRY_SIZE = Integer.BYTES + DistinctSketch.SIZE;

    private ManifestSketches() {}

    static void put(Map<Integer, DistinctSketch> sketches, Map<Integer, ByteBuffer> lowerBounds) {
        if (sketches.isEmpty()) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(1 + ENTRY_SIZE * sketches.size()).put(VERSION);
        sketches.forEach((fieldId, sketch) -> {
            bytes.putInt(fieldId);
            sketch.write(bytes);
        });
        lowerBounds.put(FIELD_ID, bytes.flip());
    }

    /** The sketches of a data file by field id; empty if there are none that this version can use. */
    public static Map<Integer, DistinctSketch> of(DataFile file) {
        ByteBuffer bytes =
                file.lowerBounds() == null ? null : file.lowerBounds().get(FIELD_ID);
        Map<Integer, DistinctSketch> sketches = new HashMap<>();
        if (bytes == null) {
            return sketches;
        }
        ByteBuffer rest = bytes.duplicate();
        if (rest.hasRemaining() && rest.get() == VERSION && rest.remaining() % ENTRY_SIZE == 0) {
            while (rest.hasRemaining()) {
                sketches.put(rest.getInt(), DistinctSketch.read(rest));
            }
        }
        return sketches;
    }
}

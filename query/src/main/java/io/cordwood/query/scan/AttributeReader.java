package io.cordwood.query.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.scan.LogBlockScan;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** Reads the entry of {@code attributes} with one key; rows without it are null. Not thread-safe. */
final class AttributeReader implements ColumnReader {
    private final ColumnReader attributes;
    private final byte[] key;

    private AttributeReader(ColumnReader attributes, String key) {
        this.attributes = attributes;
        this.key = key.getBytes(UTF_8);
    }

    /** @param sources the stored columns behind {@code attributes}: the map, and in {@code all_tenants} others */
    static AttributeReader of(LogBlockScan scan, List<Column> sources, String key) throws IOException {
        boolean isStored = sources.size() == 1 && sources.getFirst().type() == ColumnType.MAP;
        return new AttributeReader(
                isStored ? scan.cursor(sources.getFirst())::read : OverflowReader.of(scan, sources), key);
    }

    @Override
    public Vector read(int[] rows, int from, int count) throws IOException {
        MapVector maps = (MapVector) attributes.read(rows, from, count);
        StringVector values = maps.values();
        int[] slots = new int[count];
        NullMask nulls = new NullMask(count);
        for (int row = 0; row < count; row++) {
            OptionalInt entry = entry(maps, row);
            if (entry.isPresent() && !values.isNull(entry.getAsInt())) {
                slots[row] = values.slot(entry.getAsInt());
            } else {
                nulls.set(row);
            }
        }
        return new StringVector(values.bytes(), values.offsets(), slots, count, nulls);
    }

    private OptionalInt entry(MapVector maps, int row) {
        StringVector keys = maps.keys();
        for (int entry = maps.entryOffsets()[row]; entry < maps.entryOffsets()[row + 1]; entry++) {
            int slot = keys.slot(entry);
            if (Arrays.equals(keys.bytes(), keys.offsets()[slot], keys.offsets()[slot + 1], key, 0, key.length)) {
                return OptionalInt.of(entry);
            }
        }
        return OptionalInt.empty();
    }
}

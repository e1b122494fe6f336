package io.cordwood.trino.page;

import io.airlift.slice.Slices;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.MapVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.DateTimeEncoding;
import io.trino.spi.type.MapType;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import java.util.Optional;

/**
 * Converts vectors to the engine's blocks. It shares arrays, without a copy, if both have the same layout. Stateless.
 */
final class Blocks {
    private static final int PICOS_PER_MICRO = 1_000_000;
    private static final int INTS_PER_FIXED12 = 3;

    private Blocks() {}

    /** Converts a vector to a block of the SQL type of its values. */
    static Block toBlock(Vector vector, Type type) {
        return switch (vector) {
            case LongVector longs when type instanceof TimestampWithTimeZoneType -> timestamps(longs);
            case LongVector longs -> new LongArrayBlock(longs.length(), valid(longs), longs.values());
            case DoubleVector doubles -> doubles(doubles);
            case BooleanVector booleans -> booleans(booleans);
            case StringVector strings -> strings(strings);
            case MapVector maps -> map(maps, (MapType) type);
        };
    }

    private static Block timestamps(LongVector micros) {
        int[] values = new int[micros.length() * INTS_PER_FIXED12];
        for (int i = 0; i < micros.length(); i++) {
            long value = micros.values()[i];
            if (!micros.isNull(i)) {
                Fixed12Block.encodeFixed12(
                        DateTimeEncoding.packDateTimeWithZone(Math.floorDiv(value, 1000), TimeZoneKey.UTC_KEY),
                        Math.floorMod(value, 1000) * PICOS_PER_MICRO,
                        values,
                        i);
            }
        }
        return new Fixed12Block(micros.length(), valid(micros), values);
    }

    private static Block doubles(DoubleVector doubles) {
        long[] bits = new long[doubles.length()];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Double.doubleToLongBits(doubles.values()[i]);
        }
        return new LongArrayBlock(bits.length, valid(doubles), bits);
    }

    private static Block booleans(BooleanVector booleans) {
        byte[] values = new byte[booleans.length()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) (booleans.values()[i] ? 1 : 0);
        }
        return new ByteArrayBlock(values.length, valid(booleans), values);
    }

    private static Block strings(StringVector strings) {
        if (!strings.isDictionary()) {
            return new VariableWidthBlock(
                    strings.length(), Slices.wrappedBuffer(strings.bytes()), strings.offsets(), valid(strings));
        }
        return new DictionaryBlocks().block(strings);
    }

    private static Block map(MapVector maps, MapType type) {
        return MapBlock.fromKeyValueBlock(
                valid(maps),
                maps.entryOffsets(),
                maps.length(),
                toBlock(maps.keys(), type.getKeyType()),
                toBlock(maps.values(), type.getValueType()),
                type);
    }

    private static Optional<long[]> valid(Vector vector) {
        NullMask nulls = vector.nulls();
        if (nulls.isEmpty()) {
            return Optional.empty();
        }
        long[] words = Bitmap.allocateWords(vector.length(), true);
        for (int i = 0; i < vector.length(); i++) {
            if (nulls.isNull(i)) {
                Bitmap.clear(words, 0, i);
            }
        }
        return Optional.of(words);
    }
}

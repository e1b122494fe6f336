package io.cordwood.trino.page;

import io.airlift.slice.Slices;
import io.cordwood.logblock.vector.StringVector;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.VariableWidthBlock;
import java.util.Arrays;
import java.util.Optional;

/**
 * Converts dictionary vectors of one column to dictionary blocks. Batches with the same dictionary share one block for
 * it. The engine recognises the block by identity, and groups, filters and hashes each entry once. Not thread-safe.
 */
final class DictionaryBlocks {
    /** The maximum number of dictionary slots for each position; a larger dictionary costs more than it saves. */
    private static final int MAX_SLOTS_PER_POSITION = 4;

    private byte[] bytes = new byte[0];
    private VariableWidthBlock dictionary = new VariableWidthBlock(0, Slices.EMPTY_SLICE, new int[1], Optional.empty());
    private boolean hasNull;

    Block block(StringVector strings) {
        int slots = strings.offsets().length - 1;
        boolean nulls = !strings.nulls().isEmpty();
        if (bytes != strings.bytes() || dictionary.getPositionCount() - (hasNull ? 1 : 0) != slots) {
            bytes = strings.bytes();
            dictionary =
                    new VariableWidthBlock(slots, Slices.wrappedBuffer(bytes), strings.offsets(), Optional.empty());
            hasNull = false;
        }
        if (nulls && !hasNull) {
            dictionary = dictionary.copyWithAppendedNull();
            hasNull = true;
        }
        int[] ids = nulls ? withNulls(strings, slots) : strings.ids();
        return slots > strings.length() * MAX_SLOTS_PER_POSITION
                ? dictionary.copyPositions(ids, 0, strings.length())
                : DictionaryBlock.create(strings.length(), dictionary, ids);
    }

    private static int[] withNulls(StringVector strings, int nullSlot) {
        int[] ids = Arrays.copyOf(strings.ids(), strings.length());
        for (int i = 0; i < ids.length; i++) {
            if (strings.isNull(i)) {
                ids[i] = nullSlot;
            }
        }
        return ids;
    }
}

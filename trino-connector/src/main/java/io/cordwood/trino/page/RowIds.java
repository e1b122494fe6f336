package io.cordwood.trino.page;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import java.util.List;
import java.util.Optional;

/** Ids of stored rows for deletions: the LogBlock's path and the row's number in it. Stateless. */
public final class RowIds {
    private RowIds() {}

    /** Builds a block of the ids of rows {@code [from, from + count)} of a list of row numbers of a LogBlock. */
    static Block block(String path, int[] rows, int from, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = rows[from + i];
        }
        Slice slice = Slices.utf8Slice(path);
        return RowBlock.fromFieldBlocks(count, new Block[] {
            RunLengthEncodedBlock.create(VARCHAR, slice, count), new LongArrayBlock(count, Optional.empty(), numbers)
        });
    }

    /** Receives the parts of an id. */
    public interface Consumer {
        void accept(String path, int row);
    }

    /** Passes the ids of a block to a consumer, one after the other. */
    public static void forEach(Block ids, Consumer consumer) {
        List<Block> fields = RowBlock.getRowFieldsFromBlock(ids);
        Slice last = Slices.EMPTY_SLICE;
        String path = "";
        for (int i = 0; i < ids.getPositionCount(); i++) {
            Slice slice = VARCHAR.getSlice(fields.get(0), i);
            if (!slice.equals(last)) {
                last = slice;
                path = slice.toStringUtf8();
            }
            consumer.accept(path, Math.toIntExact(BIGINT.getLong(fields.get(1), i)));
        }
    }
}

package io.cordwood.trino;

import static io.trino.spi.type.TypeUtils.writeNativeValue;

import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.RunLengthEncodedBlock;

/** Values of a time bin, given in milliseconds since the epoch, as blocks of its type. Immutable. */
final class TimeBinBlocks {
    private final TimeBin bin;

    TimeBinBlocks(TimeBin bin) {
        this.bin = bin;
    }

    /** The same value so many times. */
    Block run(long millis, int count) {
        return RunLengthEncodedBlock.create(values(new long[] {millis}, 1), count);
    }

    Block values(long[] millis, int count) {
        BlockBuilder builder = bin.type().createBlockBuilder(null, count);
        for (int i = 0; i < count; i++) {
            writeNativeValue(bin.type(), builder, bin.value(millis[i]));
        }
        return builder.build();
    }
}

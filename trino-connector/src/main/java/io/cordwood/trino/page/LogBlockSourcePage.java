package io.cordwood.trino.page;

import io.airlift.slice.SizeOf;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.query.scan.BatchSize;
import io.cordwood.trino.error.QueryErrors;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SourcePage;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/** A page of rows of a LogBlock whose columns are read when the engine requests them. Not thread-safe. */
final class LogBlockSourcePage implements SourcePage {
    private static final int INSTANCE_SIZE = SizeOf.instanceSize(LogBlockSourcePage.class);

    private final String logBlock;
    private final List<CordwoodColumnHandle> columns;
    private final List<BlockReader> readers;
    private final Block[] blocks;
    private final BatchSize batch;
    private final LongConsumer retained;
    private int[] rows;
    private int from;
    private int count;

    /**
     * @param logBlock name of the LogBlock in errors
     * @param batch records the values that are read
     * @param retained receives the memory of each column once it is read, in bytes
     * @param rows the page holds {@code rows[from .. from + count)}
     */
    LogBlockSourcePage(
            String logBlock,
            List<CordwoodColumnHandle> columns,
            List<BlockReader> readers,
            BatchSize batch,
            LongConsumer retained,
            int[] rows,
            int from,
            int count) {
        this.logBlock = logBlock;
        this.columns = columns;
        this.readers = readers;
        this.blocks = new Block[columns.size()];
        this.batch = batch;
        this.retained = retained;
        this.rows = rows;
        this.from = from;
        this.count = count;
    }

    @Override
    public int getPositionCount() {
        return count;
    }

    @Override
    public long getSizeInBytes() {
        long size = 0;
        for (Block block : blocks) {
            size += block == null ? 0 : block.getSizeInBytes();
        }
        return size;
    }

    @Override
    public long getRetainedSizeInBytes() {
        long size = INSTANCE_SIZE + SizeOf.sizeOf(blocks) + (long) Integer.BYTES * count;
        for (Block block : blocks) {
            size += block == null ? 0 : block.getRetainedSizeInBytes();
        }
        return size;
    }

    @Override
    public void retainedBytesForEachPart(ObjLongConsumer<Object> consumer) {
        consumer.accept(this, INSTANCE_SIZE);
        consumer.accept(blocks, SizeOf.sizeOf(blocks));
        for (Block block : blocks) {
            if (block != null) {
                block.retainedBytesForEachPart(consumer);
            }
        }
    }

    @Override
    public int getChannelCount() {
        return blocks.length;
    }

    @Override
    public Block getBlock(int channel) {
        if (blocks[channel] == null) {
            blocks[channel] = read(channel);
            batch.add(blocks[channel].getSizeInBytes(), count);
            retained.accept(blocks[channel].getRetainedSizeInBytes());
        }
        return blocks[channel];
    }

    private Block read(int channel) {
        try {
            return readers.get(channel).read(rows, from, count);
        } catch (IOException | RuntimeException e) {
            throw QueryErrors.translated(ReadFailures.of(
                    QueryError.CURSOR_ERROR,
                    "Cannot read column '%s' of %s"
                            .formatted(columns.get(channel).name(), logBlock),
                    e));
        }
    }

    @Override
    public Page getPage() {
        Block[] loaded = new Block[blocks.length];
        for (int i = 0; i < loaded.length; i++) {
            loaded[i] = getBlock(i);
        }
        return new Page(count, loaded);
    }

    @Override
    public void selectPositions(int[] positions, int offset, int size) {
        int[] selected = new int[size];
        for (int i = 0; i < size; i++) {
            selected[i] = rows[from + positions[offset + i]];
        }
        for (int i = 0; i < blocks.length; i++) {
            if (blocks[i] != null) {
                blocks[i] = blocks[i].getPositions(positions, offset, size);
            }
        }
        rows = selected;
        from = 0;
        count = size;
    }
}

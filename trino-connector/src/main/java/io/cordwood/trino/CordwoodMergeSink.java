package io.cordwood.trino;

import static io.cordwood.trino.error.CordwoodErrorCode.CORDWOOD_WRITE_ERROR;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.type.TinyintType.TINYINT;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.catalog.delete.DeletionParser;
import io.cordwood.catalog.delete.PositionDeleteWriter;
import io.cordwood.catalog.delete.WrittenDeletes;
import io.cordwood.trino.page.RowIds;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorMergeSink;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.iceberg.io.FileIO;

/** Collects the ids of rows to delete, and writes them to delete files when it finishes. Not thread-safe. */
final class CordwoodMergeSink implements ConnectorMergeSink {
    private final String tableLocation;
    private final FileIO io;
    private final Map<String, IntStream.Builder> rows = new HashMap<>();

    CordwoodMergeSink(String tableLocation, FileIO io) {
        this.tableLocation = tableLocation;
        this.io = io;
    }

    /** Channels: the table's columns, the operation, the case of the statement, the row's id. */
    @Override
    public void storeMergedRows(Page page) {
        Block operations = page.getBlock(page.getChannelCount() - 3);
        for (int i = 0; i < operations.getPositionCount(); i++) {
            if (TINYINT.getByte(operations, i) != DELETE_OPERATION_NUMBER) {
                throw new TrinoException(
                        NOT_SUPPORTED, "Log rows can be deleted, but neither changed nor added by SQL");
            }
        }
        RowIds.forEach(
                page.getBlock(page.getChannelCount() - 1),
                (path, row) ->
                        rows.computeIfAbsent(path, any -> IntStream.builder()).add(row));
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish() {
        Map<String, DeletedRows> deleted = new HashMap<>();
        rows.forEach((path, of) -> deleted.put(path, DeletedRows.of(of.build().toArray())));
        try {
            List<WrittenDeletes> written = PositionDeleteWriter.write(deleted, tableLocation, io);
            return CompletableFuture.completedFuture(written.stream()
                    .map(file -> Slices.wrappedBuffer(DeletionParser.bytes(file)))
                    .toList());
        } catch (IOException | RuntimeException e) {
            throw new TrinoException(
                    CORDWOOD_WRITE_ERROR,
                    "Cannot write delete files under %s: %s".formatted(tableLocation, e.getMessage()),
                    e);
        }
    }
}

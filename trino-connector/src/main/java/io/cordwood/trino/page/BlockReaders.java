package io.cordwood.trino.page;

import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.scan.ColumnReader;
import io.cordwood.query.scan.ColumnReaders;
import io.cordwood.query.scan.TimeBin;
import io.cordwood.query.scan.TimeBinRuns;
import io.cordwood.trino.handle.ComputedColumnHandle;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.PredicateColumnHandle;
import io.cordwood.trino.handle.TableColumnHandle;
import io.cordwood.trino.handle.TimeBinColumnHandle;
import io.trino.spi.type.Type;
import java.io.IOException;
import java.util.Optional;

/** Creates readers of a scan's columns as blocks. Stateless. */
final class BlockReaders {
    private BlockReaders() {}

    /** Creates a reader of the column, as blocks of its type. */
    static BlockReader of(CordwoodColumnHandle column, ColumnReaders readers) throws IOException {
        return switch (column) {
            case TableColumnHandle stored -> vectors(readers.column(stored.column()), stored.type());
            case PredicateColumnHandle computed ->
                vectors(readers.predicate(computed.predicate().predicate()), computed.type());
            case TimeBinColumnHandle(TimeBin bin) -> {
                Optional<TimeBinRuns> runs = readers.runs(bin);
                yield runs.isPresent()
                        ? TimeBinReader.ofRuns(runs.get(), bin)
                        : TimeBinReader.ofTimes(readers.times(), bin);
            }
            case ComputedColumnHandle(ComputedColumnHandle.Value value) ->
                switch (value) {
                    case ROW_ID -> {
                        String path = readers.path();
                        yield (rows, from, count) -> RowIds.block(path, rows, from, count);
                    }
                    case GROUP_COUNT -> throw new IllegalArgumentException("Not a column of rows: " + column);
                };
        };
    }

    private static BlockReader vectors(ColumnReader reader, Type type) {
        DictionaryBlocks dictionaries = new DictionaryBlocks();
        return (rows, from, count) -> {
            Vector vector = reader.read(rows, from, count);
            return vector instanceof StringVector strings && strings.isDictionary()
                    ? dictionaries.block(strings)
                    : Blocks.toBlock(vector, type);
        };
    }
}

package io.cordwood.logblock.merge;

import io.cordwood.logblock.index.IndexReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import java.io.IOException;
import java.util.Optional;

/** The indexes of inputs that a merge has in memory, up to a limit. Not thread-safe. */
final class LoadedIndexes {
    /** An index is a quarter of its LogBlock, so this is enough for a merged LogBlock of 512 MB. */
    private static final long MAX_BYTES = 128 << 20;

    private long bytes;

    boolean hasRoom(LogBlock block) {
        return bytes + block.indexBytes() <= MAX_BYTES;
    }

    /** Loads an index; empty if there is none, or it is damaged. */
    Optional<IndexReader> load(LogBlock block, ReadMetrics metrics) throws IOException {
        Optional<IndexReader> loaded = block.loadIndex(metrics);
        if (loaded.isPresent()) {
            bytes += block.indexBytes();
        }
        return loaded;
    }

    /** Forgets an index that was loaded. */
    void forget(LogBlock block) {
        bytes -= block.indexBytes();
    }
}

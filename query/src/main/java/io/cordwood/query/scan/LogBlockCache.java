package io.cordwood.query.scan;

import com.google.common.base.Throwables;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalCause;
import com.google.common.cache.RemovalNotification;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.ColumnNames;
import io.cordwood.logblock.vector.DecodedCache;
import io.cordwood.query.binding.ScannedLogBlock;
import io.cordwood.query.cache.BlockCache;
import io.cordwood.query.cache.CacheCounts;
import io.cordwood.query.cache.CachingRangeReader;
import io.cordwood.query.cache.SharedCaches;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.query.io.FileRangeReader;
import io.cordwood.query.io.S3RangeReader;
import io.cordwood.query.io.S3Reads;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Open LogBlocks, shared by all queries of a node. Bounded by the bytes they hold. Thread-safe.
 *
 * <p>A LogBlock is not closed when it leaves the cache, since a query may still read it: its reader holds nothing open
 * between calls.
 */
public final class LogBlockCache implements LogBlocks {
    /** @param bytes what the LogBlock held when it was weighed */
    private record WeighedLogBlock(LogBlock logBlock, long bytes) {
        static WeighedLogBlock of(LogBlock logBlock) {
            return new WeighedLogBlock(logBlock, logBlock.retainedBytes());
        }
    }

    /** A LogBlock never changes; the names that the table's mapping gives to its columns may. */
    private record Key(String path, ColumnNames names) {
        static Key of(ScannedLogBlock split) {
            return new Key(split.path(), split.binding().names());
        }
    }

    private final Cache<Key, WeighedLogBlock> logBlocks;
    private final BlockCache blocks;
    private final DecodedCache decoded;
    private final S3Reads s3;
    private final DeletedRowsCache deletes;

    public LogBlockCache(long maxBytes, BlockCache blocks, DecodedCache decoded, S3Reads s3, DeletedRowsCache deletes) {
        this.blocks = blocks;
        this.decoded = decoded;
        this.s3 = s3;
        this.deletes = deletes;
        logBlocks = CacheBuilder.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Key key, WeighedLogBlock weighed) -> Math.clamp(weighed.bytes(), 1, Integer.MAX_VALUE))
                .removalListener(LogBlockCache::removed)
                .recordStats()
                .build();
    }

    /** It may still be read. What replaces another is the same LogBlock, weighed again. */
    private static void removed(RemovalNotification<Key, WeighedLogBlock> removal) {
        if (removal.getCause() != RemovalCause.REPLACED) {
            removal.getValue().logBlock().forgetDecoded();
        }
    }

    @Override
    public LogBlock open(ScannedLogBlock split, boolean useCache, ReadMetrics metrics) {
        try {
            RangeReader file = reader(split);
            ColumnNames names = split.binding().names();
            if (!useCache) {
                return LogBlock.open(file, metrics, DecodedCache.NONE, names);
            }
            return SharedCaches.get(
                            logBlocks,
                            Key.of(split),
                            () -> WeighedLogBlock.of(
                                    LogBlock.open(new CachingRangeReader(file, blocks), metrics, decoded, names)))
                    .logBlock();
        } catch (ExecutionException | UncheckedExecutionException e) {
            forget(split, e);
            throw cannotOpen(split, e.getCause() instanceof Exception cause ? cause : e);
        } catch (IOException | RuntimeException e) {
            throw cannotOpen(split, e);
        }
    }

    @Override
    public DeletedRows deletedRows(ScannedLogBlock split, boolean useCache) {
        return deletes.deletedRows(split, useCache, () -> open(split, useCache, new ReadMetrics()));
    }

    /** How often LogBlocks were open, and how often not. */
    public Map<String, Long> counts() {
        return CacheCounts.of(logBlocks.stats());
    }

    private static QueryException cannotOpen(ScannedLogBlock split, Exception failure) {
        return ReadFailures.of(QueryError.CANNOT_OPEN_LOGBLOCK, "Cannot open " + split.description(), failure);
    }

    /** Drops its bytes too; neither if the query was only interrupted. */
    @Override
    public void forget(ScannedLogBlock split, Exception failure) {
        if (Throwables.getCausalChain(failure).stream()
                .anyMatch(cause -> cause instanceof ClosedByInterruptException)) {
            return;
        }
        logBlocks.invalidate(Key.of(split));
        blocks.forget(reader(split).location());
    }

    /** Weighs the LogBlock again: as its columns are used, it grows. */
    @Override
    public void used(ScannedLogBlock split, LogBlock logBlock) {
        WeighedLogBlock weighed = logBlocks.getIfPresent(Key.of(split));
        if (weighed != null && weighed.logBlock() == logBlock && logBlock.retainedBytes() > weighed.bytes()) {
            logBlocks.asMap().replace(Key.of(split), weighed, WeighedLogBlock.of(logBlock));
        }
    }

    private RangeReader reader(ScannedLogBlock split) {
        if (S3Settings.isS3(split.path())) {
            return new S3RangeReader(s3, split.path(), split.sizeInBytes());
        }
        return new FileRangeReader(LocalFileIO.path(split.path()), split.sizeInBytes());
    }
}

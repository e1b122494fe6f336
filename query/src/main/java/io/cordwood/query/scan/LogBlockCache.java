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
import io.cordwood.query.plan.ScannedLogBlock;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * A cache of open LogBlocks, shared by all queries of a node. Bounded by the bytes they hold. Thread-safe.
 *
 * <p>Eviction does not close a LogBlock, since a query may still read it: its range reader holds nothing open between
 * calls.
 */
public final class LogBlockCache implements LogBlocks {
    /** @param bytes the memory of the LogBlock when it was last weighed */
    private record WeighedLogBlock(LogBlock logBlock, long bytes) {
        static WeighedLogBlock of(LogBlock logBlock) {
            return new WeighedLogBlock(logBlock, logBlock.retainedBytes());
        }
    }

    /** The key of a LogBlock. A LogBlock never changes, but the table's name mapping of its columns may. */
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

    /** A query may still read the LogBlock. A replacement is the same LogBlock, weighed again. */
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

    /** Hits, misses and evictions since the start. */
    public Map<String, Long> counts() {
        return CacheCounts.of(logBlocks.stats());
    }

    private static QueryException cannotOpen(ScannedLogBlock split, Exception failure) {
        return ReadFailures.of(QueryError.CANNOT_OPEN_LOGBLOCK, "Cannot open " + split.description(), failure);
    }

    /** Drops the LogBlock and its bytes, unless the query was only interrupted. */
    @Override
    public void forget(ScannedLogBlock split, Exception failure) {
        if (Throwables.getCausalChain(failure).stream()
                .anyMatch(cause -> cause instanceof ClosedByInterruptException)) {
            return;
        }
        logBlocks.invalidate(Key.of(split));
        blocks.forget(reader(split).location());
    }

    /** Weighs the LogBlock again, because it grows as its columns are used. */
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

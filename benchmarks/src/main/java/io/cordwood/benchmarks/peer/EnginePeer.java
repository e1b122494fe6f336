package io.cordwood.benchmarks.peer;

import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.table.FileRangeReader;
import io.cordwood.benchmarks.table.TenantTable;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.scan.ReadOptions;
import io.cordwood.logblock.vector.DecodedCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** LogBlocks without Trino. Opened LogBlocks stay open until the end. Not thread-safe. */
public final class EnginePeer implements Peer {
    /** Number of threads of every engine here, including the caller's. */
    public static final int THREADS = 2;
    /** The connector's default. */
    private static final long DECODED_BYTES = 128 << 20;

    private final String name;
    private final Map<String, TenantTable> tables;
    private final Storage storage;
    private final ReadOptions options;
    private final DecodedCache decoded;
    private final ExecutorService workers = Executors.newFixedThreadPool(THREADS - 1);
    private final Map<Path, LogBlock> open = new ConcurrentHashMap<>();
    private ReadMetrics last = new ReadMetrics();

    /** The location of LogBlocks. */
    public interface Storage {
        RangeReader open(Path file) throws IOException;
    }

    /** With a cache of the connector's size. */
    public EnginePeer(Map<String, TenantTable> tables, Storage storage, ReadOptions options) {
        this("cordwood", tables, storage, options, new DecodedCache(DECODED_BYTES));
    }

    /** With the reader's defaults on local files, and without a cache, so that each query decodes what it reads. */
    public static EnginePeer decoding(String name, Map<String, TenantTable> tables) {
        return new EnginePeer(name, tables, FileRangeReader::new, ReadOptions.DEFAULTS, DecodedCache.NONE);
    }

    private EnginePeer(
            String name, Map<String, TenantTable> tables, Storage storage, ReadOptions options, DecodedCache decoded) {
        this.name = name;
        this.tables = tables;
        this.storage = storage;
        this.options = options;
        this.decoded = decoded;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Run ask(BenchQuery query) throws IOException {
        ReadMetrics metrics = new ReadMetrics();
        last = metrics;
        TenantTable table = tables.get(query.tenant());
        long start = System.nanoTime();
        EngineQuery engine = new EngineQuery(query, table.schema(), options, metrics);
        Predicate predicate = engine.predicate();
        List<EngineQuery.Source> blocks = table.within(engine.range()).stream()
                .filter(stored -> stored.mayMatch(predicate))
                .<EngineQuery.Source>map(stored -> new OneFile(stored.file(), metrics))
                .toList();
        Answer answer = engine.run(blocks, workers);
        return new Run(answer, (System.nanoTime() - start) / 1e6, metrics.bytesRead.sum());
    }

    private final class OneFile implements EngineQuery.Source {
        private final Path file;
        private final ReadMetrics metrics;

        private OneFile(Path file, ReadMetrics metrics) {
            this.file = file;
            this.metrics = metrics;
        }

        @Override
        public boolean isOpen() {
            return open.containsKey(file);
        }

        @Override
        public LogBlock open() throws IOException {
            return EnginePeer.this.open(file, metrics);
        }
    }

    private LogBlock open(Path file, ReadMetrics metrics) throws IOException {
        try {
            return open.computeIfAbsent(file, path -> {
                try {
                    return LogBlock.open(storage.open(path), metrics, decoded);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Number of LogBlocks opened so far. */
    public int opened() {
        return open.size();
    }

    /** The cost of the last query. */
    public ReadMetrics lastMetrics() {
        return last;
    }

    @Override
    public void close() throws IOException {
        workers.shutdownNow();
        for (LogBlock block : open.values()) {
            block.close();
        }
    }
}

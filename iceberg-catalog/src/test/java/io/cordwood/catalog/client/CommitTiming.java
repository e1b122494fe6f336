package io.cordwood.catalog.client;

import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.testing.CatalogFixture;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Times commits through the service on the local disk: {@code CommitTiming <directory> <commits> [<jdbc url>]}. Run by
 * hand; the numbers are in the module's README.
 */
final class CommitTiming {
    private static final int TABLES = 32;
    private static final int WARM_UP_PER_TABLE = 4;

    private final CatalogClient client;
    private final LogBlockCommitter committer;
    private final LoadedTable[] tables = new LoadedTable[TABLES];
    private final long[] offsets = new long[TABLES];

    private CommitTiming(CatalogClient client) {
        this.client = client;
        this.committer = client.committer((tenant, stream, flush, first) -> List.of());
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory(Path.of(arguments[0]), "commit-timing");
        String jdbcUrl = arguments.length > 2 ? arguments[2] : "jdbc:sqlite:" + directory.resolve("catalog.db");
        try (CatalogServer server = CatalogServer.start(new CatalogServerOptions(
                        "127.0.0.1", 0, jdbcUrl, directory.resolve("warehouse").toString(), Map.of()));
                CatalogClient client = CatalogClient.connect(server.uri(), Map.of())) {
            CommitTiming timing = new CommitTiming(client);
            timing.prepare();
            for (int threads : new int[] {1, 8}) {
                timing.run(threads, Integer.parseInt(arguments[1]));
            }
            try (InputStream metrics = server.uri().resolve("/metrics").toURL().openStream()) {
                new String(metrics.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.matches("cordwood_catalog_(request_seconds_(sum|count)|commit).*"))
                        .forEach(System.out::println);
            }
        }
    }

    private void prepare() throws Exception {
        for (int table = 0; table < TABLES; table++) {
            tables[table] = client.ensureTable("tenant" + table, "logs", List.of(ColumnDefinition.text("message")));
        }
        for (int i = 0; i < WARM_UP_PER_TABLE * TABLES; i++) {
            commit(i % TABLES);
        }
    }

    private void run(int threads, int commits) throws Exception {
        List<Future<long[]>> results = new ArrayList<>();
        long start = System.nanoTime();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int thread = 0; thread < threads; thread++) {
                int first = thread;
                results.add(pool.submit(() -> {
                    long[] nanos = new long[commits / threads];
                    for (int i = 0; i < nanos.length; i++) {
                        long from = System.nanoTime();
                        commit((first + i * threads) % TABLES);
                        nanos[i] = System.nanoTime() - from;
                    }
                    return nanos;
                }));
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        List<Long> all = new ArrayList<>();
        for (Future<long[]> result : results) {
            Arrays.stream(result.get()).forEach(all::add);
        }
        all.sort(null);
        System.out.printf(
                "%d threads: median %.1f ms, p95 %.1f ms, %.1f commits/s%n",
                threads, all.get(all.size() / 2) / 1e6, all.get(all.size() * 95 / 100) / 1e6, all.size() / seconds);
    }

    private void commit(int table) throws InterruptedException {
        LoadedTable loaded = tables[table];
        PartitionId partition = new PartitionId("topic", 0);
        long from = offsets[table];
        offsets[table] = from + 10;
        LogBlockFile file = CatalogFixture.logBlock(client.io(), loaded.location(), partition, from, from + 10, 20_000);
        List<LogBlockFile> files = List.of(file);
        Flush flush =
                new Flush("topic", 0, from, from + 10, loaded.uuid(), files, CatalogFixture.appendRuns(from, files));
        CommitOutcome outcome = committer
                .commit(loaded.tenantId(), loaded.stream(), List.of(flush))
                .getFirst();
        if (outcome.status() != CommitOutcome.Status.COMMITTED) {
            throw new IllegalStateException(outcome.toString());
        }
    }
}

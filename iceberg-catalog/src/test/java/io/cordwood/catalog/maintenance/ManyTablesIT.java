package io.cordwood.catalog.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.testing.CatalogFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cycle over many tables costs, and what is left of the metadata of one that is committed to all day. */
class ManyTablesIT {
    private static final int TABLES = Integer.getInteger("cordwood.test.tables", 200);
    private static final int COMMITS = Integer.getInteger("cordwood.test.commits", 500);
    private static final PartitionId PARTITION = new PartitionId("topic-A", 0);
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

    @TempDir
    private Path directory;

    @Test
    void aCycleOverManyTables() throws Exception {
        try (CatalogServer server = server();
                CatalogClient client = CatalogClient.connect(server.uri(), Map.of())) {
            for (int i = 0; i < TABLES; i++) {
                commit(client, "tenant" + i, 0, 5, i % 10 == 0 ? today.minusDays(20) : today);
            }
            TableMaintenance maintenance = new TableMaintenance(client);
            for (String cycle : List.of("first", "second", "third")) {
                long start = System.nanoTime();
                List<TablePointer> pointers = client.pointers("logs").tables();
                int dropped = 0;
                for (TablePointer pointer : pointers) {
                    Instant now = Instant.now();
                    dropped += maintenance
                            .run(pointer, "logs", OptionalInt.of(7), now, now)
                            .dropped()
                            .logBlocks();
                }
                System.out.printf(
                        "%s cycle over %d tables: %d ms, %d LogBlocks dropped, %d MB of heap in use%n",
                        cycle,
                        pointers.size(),
                        Duration.ofNanos(System.nanoTime() - start).toMillis(),
                        dropped,
                        heapMegabytes());
                assertThat(dropped).isEqualTo(cycle.equals("first") ? TABLES / 10 : 0);
            }
        }
    }

    @Test
    void metadataOfATableAfterManyCommits() throws Exception {
        try (CatalogServer server = server();
                CatalogClient client = CatalogClient.connect(server.uri(), Map.of())) {
            // As if the commits came every ten seconds, and maintenance every five minutes.
            SnapshotExpiry expiry = new SnapshotExpiry(client.catalog(), Duration.ZERO);
            for (int i = 0; i < COMMITS; i++) {
                commit(client, "busy", i, i + 1, today);
                if (i % 30 == 29) {
                    expiry.apply("busy", "logs", Instant.now().plusSeconds(1));
                }
            }
            expiry.apply("busy", "logs", Instant.now().plusSeconds(1));
            Path location =
                    LocalFileIO.path(client.table("busy", "logs").orElseThrow().location());
            Path current =
                    LocalFileIO.path(client.table("busy", "logs").orElseThrow().metadataLocation());
            try (Stream<Path> files = Files.list(location.resolve("metadata"))) {
                List<Path> metadata = files.toList();
                System.out.printf(
                        "After %d commits: %d objects of metadata, %d bytes; the metadata file has %d bytes%n",
                        COMMITS,
                        metadata.size(),
                        metadata.stream().mapToLong(ManyTablesIT::size).sum(),
                        Files.size(current));
                assertThat(metadata).hasSizeLessThan(200);
            }
            assertThat(Files.size(current)).isLessThan(64 << 10);
        }
    }

    private CatalogServer server() throws IOException {
        return CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
    }

    private static void commit(CatalogClient client, String tenant, long from, long to, LocalDate day)
            throws InterruptedException {
        LoadedTable table = client.ensureTable(tenant, "logs", List.of());
        LogBlockFile file = CatalogFixture.logBlock(
                client.io(), table.location(), PARTITION, from, to, Math.toIntExact(day.toEpochDay()));
        Flush flush = new Flush(
                PARTITION.topicId(),
                PARTITION.partition(),
                from,
                to,
                table.uuid(),
                List.of(file),
                CatalogFixture.appendRuns(from, List.of(file)));
        assertThat(client.committer((t, s, f, first) -> List.of()).commit(tenant, "logs", List.of(flush)))
                .allMatch(outcome -> outcome.status() == CommitOutcome.Status.COMMITTED);
    }

    private static long heapMegabytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

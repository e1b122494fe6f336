package io.cordwood.catalog.usage;

import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.FaultyCatalog;
import io.cordwood.catalog.testing.FaultyOperations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/**
 * Usage is what is in the tables, whatever is sent again, overlaps, is lost or killed. A service that is killed is one
 * that is left alone with what it has not added up, while another takes its place on the same database.
 */
class UsagePropertiesTest {
    /** What may happen between two checks. */
    enum Event {
        COMMIT,
        COMMIT_SEVERAL,
        COMMIT_WITHOUT_ROWS,
        REPLAY,
        OVERLAP,
        LOSE_ANSWER,
        FAIL,
        REWRITE_METADATA,
        KILL,
        CHECK
    }

    @Provide
    Arbitrary<List<Event>> events() {
        return Arbitraries.of(Event.class).list().ofMinSize(5).ofMaxSize(25);
    }

    @Property(tries = 8, edgeCases = net.jqwik.api.EdgeCasesMode.NONE)
    void usageIsWhatIsInTheTable(@ForAll("events") List<Event> events, @ForAll Random random) throws Exception {
        Path directory = Files.createTempDirectory("usage");
        try (TableStorage storage = new TableStorage(directory, random)) {
            for (Event event : events) {
                storage.happens(event);
            }
            storage.check();
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** A table behind a service, and what its rows came in as. */
    private static final class TableStorage implements AutoCloseable {
        private final Path directory;
        private final Random random;
        private final List<Runnable> closing = new ArrayList<>();
        private CatalogServer server;
        private CatalogClient client;
        private CatalogFixture fixture;
        private long next;
        private long last;

        TableStorage(Path directory, Random random) throws IOException {
            this.directory = directory;
            this.random = random;
            start();
            fixture.createTable();
        }

        private void start() throws IOException {
            server = CatalogServer.start(new CatalogServerOptions(
                    "127.0.0.1",
                    0,
                    "jdbc:sqlite:" + directory.resolve("catalog.db"),
                    directory.resolve("warehouse").toString(),
                    Map.of()));
            client = CatalogClient.connect(server.uri(), Map.of());
            fixture = new CatalogFixture(client.catalog());
            closing.addFirst(server::close);
            closing.addFirst(client::close);
        }

        void happens(Event event) throws Exception {
            switch (event) {
                case COMMIT -> commit(newFlush());
                case COMMIT_SEVERAL -> {
                    Flush first = newFlush();
                    next = first.to();
                    commit(first, newFlush());
                }
                case COMMIT_WITHOUT_ROWS -> commit(fixture.flush(PARTITION, next, next + 3, List.of()));
                case REPLAY -> {
                    if (next > last) {
                        commit(flush(last, next));
                    }
                }
                case OVERLAP -> {
                    if (next > last) {
                        commit(flush(last + random.nextLong(next - last), next + 1 + random.nextInt(20)));
                    }
                }
                case LOSE_ANSWER -> {
                    boolean[] lost = {false};
                    committer(operations -> {
                                if (!lost[0]) {
                                    lost[0] = true;
                                    throw new CommitStateUnknownException(new IOException("lost"));
                                }
                            })
                            .commit(TENANT, STREAM, List.of(committed(newFlush())));
                }
                case FAIL -> {
                    // Written, and never committed
                    newFlush();
                }
                case REWRITE_METADATA ->
                    fixture.table()
                            .updateProperties()
                            .set("note", Long.toString(random.nextLong()))
                            .commit();
                case KILL -> start();
                case CHECK -> check();
            }
        }

        private Flush committed(Flush flush) {
            last = next;
            next = flush.to();
            return flush;
        }

        private void commit(Flush... flushes) throws InterruptedException {
            for (Flush flush : flushes) {
                last = Math.min(flush.from(), next);
                next = Math.max(next, flush.to());
            }
            committer(operations -> {}).commit(TENANT, STREAM, List.of(flushes));
        }

        private LogBlockCommitter committer(java.util.function.Consumer<TableOperations> afterCommit) {
            FaultyCatalog faulty = new FaultyCatalog(client.catalog(), operations -> new FaultyOperations(operations) {
                @Override
                public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                    reallyCommit(base, metadata);
                    afterCommit.accept(operations);
                }
            });
            return new LogBlockCommitter(
                    faulty,
                    (tenant, stream) -> TableOffsets.NONE,
                    (tenant, stream, flush, firstOffset) -> fixture.rewrite(flush, firstOffset));
        }

        private Flush newFlush() {
            return flush(next, next + 1 + random.nextInt(30));
        }

        /** One row an offset, ten offsets an hour, each offset of the bytes of its number. */
        private Flush flush(long from, long to) {
            LogBlockFile file = fixture.logBlock(PARTITION, from, to, 20_000);
            List<AppendRun> appendRuns = new ArrayList<>();
            for (long offset = from; offset < to; ) {
                long end = Math.min(to, (offset / 10 + 1) * 10);
                appendRuns.add(new AppendRun(offset, hour(offset), end - offset, (end - offset) * bytes(offset)));
                offset = end;
            }
            return new Flush(
                    PARTITION.topicId(),
                    PARTITION.partition(),
                    from,
                    to,
                    fixture.table().uuid().toString(),
                    List.of(file),
                    appendRuns);
        }

        private static long hour(long offset) {
            return 480_000 + offset / 10;
        }

        /** The same for all offsets of an hour, so that a share by rows is exact. */
        private static long bytes(long offset) {
            return 100 + offset / 10;
        }

        void check() {
            Map<Long, Long> rows = new TreeMap<>();
            Map<Long, Long> bytes = new TreeMap<>();
            long stored = 0;
            for (DataFile file : fixture.liveFiles()) {
                LogBlockNames.Label label = LogBlockNames.label(file.location()).orElseThrow();
                assertThat(file.recordCount()).isEqualTo(label.to() - label.from());
                stored += file.fileSizeInBytes();
                for (long offset = label.from(); offset < label.to(); offset++) {
                    rows.merge(hour(offset), 1L, Long::sum);
                    bytes.merge(hour(offset), bytes(offset), Long::sum);
                }
            }
            Collection<Usage> usage = allUsage();
            assertThat(usage).allSatisfy(entry -> {
                assertThat(entry.tenantId()).isEqualTo(TENANT);
                assertThat(entry.stream()).isEqualTo(STREAM);
            });
            assertThat(byHour(usage, entry -> entry.ingested().rows())).isEqualTo(rows);
            assertThat(byHour(usage, entry -> entry.ingested().rawBytes())).isEqualTo(bytes);
            assertThat(usage.stream()
                            .mapToLong(entry -> entry.ingested().storedBytes())
                            .sum())
                    .isEqualTo(stored);
        }

        private List<Usage> allUsage() {
            List<Usage> all = new ArrayList<>();
            UsageFilter filter = UsageFilter.ALL;
            while (true) {
                UsageParser.UsagePage page = client.usage(filter);
                all.addAll(page.usage());
                if (page.nextHour().isEmpty()) {
                    return all;
                }
                filter = filter.from(page.nextHour().getAsLong());
            }
        }

        private static Map<Long, Long> byHour(
                Collection<Usage> usage, java.util.function.ToLongFunction<Usage> amount) {
            Map<Long, Long> byHour = new HashMap<>();
            usage.forEach(entry -> assertThat(byHour.put(entry.hour(), amount.applyAsLong(entry)))
                    .isNull());
            return byHour;
        }

        @Override
        public void close() {
            closing.forEach(Runnable::run);
        }
    }
}

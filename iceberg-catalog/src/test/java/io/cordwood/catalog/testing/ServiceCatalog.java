package io.cordwood.catalog.testing;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.TableOffsets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;

/** A catalog service with a table, files on the local disk, and ways to make its commits fail. */
public final class ServiceCatalog implements AutoCloseable {
    public final CatalogServer server;
    public final CatalogClient client;
    public final CatalogFixture fixture;

    public ServiceCatalog(Path directory) throws IOException {
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
        client = CatalogClient.connect(server.uri(), Map.of());
        fixture = new CatalogFixture(client.catalog());
        fixture.createTable();
    }

    public Catalog catalog() {
        return client.catalog();
    }

    /** Commits the rows {@code [from, to)} as one LogBlock of this day. */
    public LogBlockFile commit(long from, long to, long epochDay) throws InterruptedException {
        LogBlockFile file = fixture.logBlock(CatalogFixture.PARTITION, from, to, Math.toIntExact(epochDay));
        commit(fixture.flush(CatalogFixture.PARTITION, from, to, List.of(file)));
        return file;
    }

    public void commit(Flush... flushes) throws InterruptedException {
        new LogBlockCommitter(catalog(), (tenant, stream) -> TableOffsets.NONE, (t, s, f, first) -> List.of())
                .commit(CatalogFixture.TENANT, CatalogFixture.STREAM, List.of(flushes));
    }

    public boolean exists(LogBlockFile file) {
        return exists(file.location());
    }

    public boolean exists(String location) {
        return client.io().newInputFile(location).exists();
    }

    public Catalog faulty(UnaryOperator<TableOperations> operations) {
        return new FaultyCatalog(catalog(), operations);
    }

    /** A catalog whose first commit is done but answered by this failure. */
    public Catalog losingFirstAnswer(RuntimeException failure) {
        AtomicBoolean lost = new AtomicBoolean();
        return faulty(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                reallyCommit(base, metadata);
                if (lost.compareAndSet(false, true)) {
                    throw failure;
                }
            }
        });
    }

    /** A catalog whose commits all fail, undone. */
    public Catalog refusing(RuntimeException failure) {
        return faulty(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                throw failure;
            }
        });
    }

    /** Something that a test runs at the worst time. */
    @FunctionalInterface
    public interface Intruder {
        void run() throws Exception;
    }

    /** A catalog in which this is done just before the first commit. */
    public Catalog beforeFirstCommit(Intruder intruder) {
        AtomicBoolean done = new AtomicBoolean();
        return faulty(operations -> new FaultyOperations(operations) {
            @Override
            public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                if (done.compareAndSet(false, true)) {
                    run(intruder);
                }
                reallyCommit(base, metadata);
            }
        });
    }

    /** A catalog in which this is done just after a table was loaded, once. */
    public Catalog afterFirstLoad(Intruder intruder) {
        AtomicBoolean done = new AtomicBoolean();
        return faulty(operations -> {
            operations.current();
            if (done.compareAndSet(false, true)) {
                run(intruder);
            }
            return operations;
        });
    }

    private static void run(Intruder intruder) {
        try {
            intruder.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}

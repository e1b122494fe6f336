package io.cordwood.catalog;

import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
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
final class ServiceCatalog implements AutoCloseable {
    final CatalogServer server;
    final CatalogClient client;
    final CatalogFixture fixture;

    ServiceCatalog(Path directory) throws IOException {
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

    Catalog catalog() {
        return client.catalog();
    }

    /** Commits the rows {@code [from, to)} as one LogBlock of this day. */
    LogBlockFile commit(long from, long to, long epochDay) throws InterruptedException {
        LogBlockFile file = fixture.logBlock(CatalogFixture.PARTITION, from, to, Math.toIntExact(epochDay));
        commit(fixture.flush(CatalogFixture.PARTITION, from, to, List.of(file)));
        return file;
    }

    void commit(Flush... flushes) throws InterruptedException {
        new LogBlockCommitter(catalog(), (tenant, stream) -> TableOffsets.NONE, (t, s, f, first) -> List.of())
                .commit(CatalogFixture.TENANT, CatalogFixture.STREAM, List.of(flushes));
    }

    boolean exists(LogBlockFile file) {
        return exists(file.location());
    }

    boolean exists(String location) {
        return client.io().newInputFile(location).exists();
    }

    Catalog faulty(UnaryOperator<TableOperations> operations) {
        return new FaultyCatalog(catalog(), operations);
    }

    /** A catalog whose first commit is done but answered by this failure. */
    Catalog losingFirstAnswer(RuntimeException failure) {
        AtomicBoolean lost = new AtomicBoolean();
        return faulty(operations -> new FaultyOperations(operations) {
            @Override
            void faultyCommit(TableMetadata base, TableMetadata metadata) {
                reallyCommit(base, metadata);
                if (lost.compareAndSet(false, true)) {
                    throw failure;
                }
            }
        });
    }

    /** A catalog whose commits all fail, undone. */
    Catalog refusing(RuntimeException failure) {
        return faulty(operations -> new FaultyOperations(operations) {
            @Override
            void faultyCommit(TableMetadata base, TableMetadata metadata) {
                throw failure;
            }
        });
    }

    /** Something that a test runs at the worst moment. */
    @FunctionalInterface
    interface Intruder {
        void run() throws Exception;
    }

    /** A catalog in which this is done just before the first commit. */
    Catalog beforeFirstCommit(Intruder intruder) {
        AtomicBoolean done = new AtomicBoolean();
        return faulty(operations -> new FaultyOperations(operations) {
            @Override
            void faultyCommit(TableMetadata base, TableMetadata metadata) {
                if (done.compareAndSet(false, true)) {
                    run(intruder);
                }
                reallyCommit(base, metadata);
            }
        });
    }

    /** A catalog in which this is done just after a table was loaded, once. */
    Catalog afterFirstLoad(Intruder intruder) {
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

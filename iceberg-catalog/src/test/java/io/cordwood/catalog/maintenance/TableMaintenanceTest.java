package io.cordwood.catalog.maintenance;

import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.CountedFileIO;
import io.cordwood.catalog.testing.ServiceCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cycle does for a table, and what it costs where there is nothing to do. */
class TableMaintenanceTest {
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

    @TempDir
    private Path directory;

    private final CountedFileIO io = new CountedFileIO();
    private final AtomicInteger loads = new AtomicInteger();
    private final Instant now = Instant.now();
    private final AtomicLong nanos = new AtomicLong(-7);
    private ServiceCatalog service;
    private TableMaintenance maintenance;

    @BeforeEach
    void start() throws IOException {
        service = new ServiceCatalog(directory);
        Catalog counted = service.faulty(operations -> {
            loads.incrementAndGet();
            return operations;
        });
        maintenance = new TableMaintenance(
                io,
                new Retention(counted),
                new SnapshotExpiry(counted),
                new OrphanCleaner(counted),
                Duration.ofDays(30),
                nanos::get);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void aTableWithNothingToDoCostsTwoReadsOnceAndThenNothing() throws Exception {
        service.commit(0, 5, today.toEpochDay());
        assertThat(run(7, now)).isEqualTo(TableMaintenance.Result.NOTHING);
        assertThat(io.reads).hasValue(2);
        assertThat(run(7, now.plusSeconds(60))).isEqualTo(TableMaintenance.Result.NOTHING);
        assertThat(io.reads).hasValue(2);
        assertThat(loads).as("the catalog is not asked").hasValue(0);
        service.commit(5, 10, today.toEpochDay());
        run(7, now.plusSeconds(120));
        assertThat(io.reads).hasValue(4);
        assertThat(loads).hasValue(0);
    }

    @Test
    void theOldestDayIsDroppedWhenItsTimeHasCome() throws Exception {
        LogBlockFile oldest = service.commit(0, 5, today.minusDays(7).toEpochDay());
        service.commit(5, 10, today.toEpochDay());
        assertThat(run(7, now).changed()).isFalse();
        // Late enough that its snapshots are due too, whatever the time is now
        Instant tomorrow = today.plusDays(1).atTime(12, 0).toInstant(ZoneOffset.UTC);
        TableMaintenance.Result result = run(7, tomorrow);
        assertThat(result.changed()).isTrue();
        assertThat(result.dropped().logBlocks()).isEqualTo(1);
        assertThat(service.exists(oldest)).isFalse();
        int before = loads.get();
        assertThat(run(7, tomorrow.plusSeconds(60))).isEqualTo(TableMaintenance.Result.NOTHING);
        assertThat(run(7, tomorrow.plusSeconds(120))).isEqualTo(TableMaintenance.Result.NOTHING);
        assertThat(loads.get() - before)
                .as("bounds of a manifest may tell of the dropped day")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void withoutRetentionNothingIsDropped() throws Exception {
        LogBlockFile old = service.commit(0, 5, 0);
        assertThat(maintenance
                        .run(pointer(), STREAM, OptionalInt.empty(), now, now)
                        .changed())
                .isFalse();
        assertThat(service.exists(old)).isTrue();
        assertThat(run(7, now).dropped().logBlocks()).as("once it is set").isEqualTo(1);
    }

    @Test
    void snapshotsAndOrphansAreDealtWithWhenTheyAreDue() throws Exception {
        for (int i = 0; i < 12; i++) {
            service.commit(i, i + 1, today.toEpochDay());
        }
        LogBlockFile orphan = service.fixture.logBlock(CatalogFixture.PARTITION, 0, 1, (int) today.toEpochDay());
        assertThat(run(7, now)).isEqualTo(TableMaintenance.Result.NOTHING);
        TableMaintenance.Result later = run(7, now.plus(Duration.ofHours(2)));
        assertThat(later.maintained().snapshotsExpired()).isEqualTo(11);
        pass(Duration.ofDays(30));
        assertThat(maintenance
                        .run(
                                pointer(),
                                STREAM,
                                OptionalInt.empty(),
                                now.plus(Duration.ofDays(31)),
                                now.plus(Duration.ofDays(31)))
                        .cleaned()
                        .deleted())
                .isPositive();
        assertThat(service.exists(orphan)).isFalse();
    }

    @Test
    void orphansAreSearchedForAsOftenWhereTheClockIsSetBack() throws Exception {
        service.commit(0, 5, today.toEpochDay());
        Instant ahead = now.plus(Duration.ofDays(3650));
        run(7000, ahead);
        pass(Duration.ofDays(30));
        assertThat(run(7000, ahead).cleaned().objects()).isPositive();
        assertThat(run(7000, now).cleaned().objects()).isZero();
        pass(Duration.ofDays(30));
        assertThat(run(7000, now).cleaned().objects()).isPositive();
    }

    @Test
    void rowsGoByTheTimeOfExpiryAlone() throws Exception {
        LogBlockFile old = service.commit(0, 5, today.minusDays(7).toEpochDay());
        for (int i = 5; i < 16; i++) {
            service.commit(i, i + 1, today.toEpochDay());
        }
        Instant ahead = now.plus(Duration.ofDays(3650));
        TableMaintenance.Result result = maintenance.run(pointer(), STREAM, OptionalInt.of(7), ahead, now);
        assertThat(result.dropped()).isEqualTo(Retention.Dropped.NOTHING);
        assertThat(result.maintained().snapshotsExpired()).isPositive();
        assertThat(service.exists(old)).isTrue();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private TableMaintenance.Result run(int retentionDays, Instant time) throws InterruptedException {
        return maintenance.run(pointer(), STREAM, OptionalInt.of(retentionDays), time, time);
    }

    private TablePointer pointer() {
        return service.client.pointers(STREAM).tables().getFirst();
    }
}

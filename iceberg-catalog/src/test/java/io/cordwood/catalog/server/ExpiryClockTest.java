package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.server.store.ColumnSet;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.MeteredTable;
import io.cordwood.catalog.server.store.UsageStore;
import io.cordwood.catalog.server.table.OwnLocationCatalog;
import io.cordwood.catalog.testing.SqliteCatalog;
import io.cordwood.catalog.usage.IngestTotals;
import io.cordwood.catalog.usage.UsageJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time by which things expire, when clocks are ahead, when nobody writes, and over restarts of the service. */
class ExpiryClockTest {
    private static final Instant NOW = Instant.parse("2026-03-15T10:00:00Z");

    @TempDir
    private Path directory;

    private final AtomicReference<Instant> wall = new AtomicReference<>(NOW);
    private final AtomicLong nanos = new AtomicLong(-5);
    private Database database;
    private ExpiryClock clock;
    private long commits;

    @BeforeEach
    void open() {
        database = Database.open(SqliteCatalog.url(directory));
        try (OwnLocationCatalog catalog = new OwnLocationCatalog(database)) {
            catalog.initialize(Database.CATALOG_NAME, SqliteCatalog.properties(directory)); // makes its tables
        }
        restart();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void storageWithoutRowsHasTheTimeOfTheService() {
        assertThat(clock.time().appended()).isEmpty();
        assertThat(clock.instant()).isEqualTo(NOW);
    }

    @Test
    void theClockOfTheServiceMayBeAheadByYears() {
        append(NOW);
        wall.set(NOW.plus(Duration.ofDays(3650)));
        assertThat(clock.instant()).isEqualTo(NOW);
        pass(Duration.ofMinutes(90));
        assertThat(clock.instant()).isEqualTo(NOW.plus(Duration.ofMinutes(90)));
    }

    @Test
    void theClockOfTheServiceMayBeBehind() {
        append(NOW);
        wall.set(NOW.minus(Duration.ofDays(3650)));
        assertThat(clock.instant()).isEqualTo(NOW.minus(Duration.ofDays(3650)));
    }

    @Test
    void aBrokerAheadDoesNotMoveTheTime() {
        append(NOW.plus(Duration.ofDays(3650)));
        assertThat(clock.instant()).isEqualTo(NOW);
    }

    @Test
    void storageWithoutWritesGrowsOld() {
        append(NOW);
        assertThat(clock.instant()).isEqualTo(NOW);
        for (int day = 1; day <= 40; day++) {
            pass(Duration.ofDays(1));
            wall.set(NOW.plus(Duration.ofDays(day)));
            if (day % 10 == 0) {
                restart();
            }
            assertThat(clock.instant()).isEqualTo(NOW.plus(Duration.ofDays(day)));
        }
    }

    @Test
    void stoppedStorageCatchesUpWithTheNextRow() {
        append(NOW);
        assertThat(clock.instant()).isEqualTo(NOW);
        restart();
        wall.set(NOW.plus(Duration.ofDays(30)));
        nanos.addAndGet(Duration.ofDays(30).toNanos());
        assertThat(clock.instant()).as("nobody knows for how long").isEqualTo(NOW);
        pass(Duration.ofHours(1));
        assertThat(clock.instant()).isEqualTo(NOW.plus(Duration.ofHours(1)));
        append(NOW.plus(Duration.ofDays(30)));
        assertThat(clock.instant()).isEqualTo(NOW.plus(Duration.ofDays(30)));
        append(NOW.plus(Duration.ofDays(2)));
        assertThat(clock.instant()).as("never goes back").isEqualTo(NOW.plus(Duration.ofDays(30)));
    }

    private void restart() {
        clock = new ExpiryClock(database, wall::get, nanos::get);
    }

    private void pass(Duration time) {
        // Asked often, as it is by each cycle of the compaction service
        for (int i = 0; i < 100; i++) {
            nanos.addAndGet(time.toNanos() / 100);
            clock.time();
        }
    }

    /** A row is committed that a broker appended then. */
    private void append(Instant time) {
        commits++;
        long hour = TimeUnit.SECONDS.toHours(time.getEpochSecond());
        UsageJournal journal =
                new UsageJournal("acme", List.of(new UsageJournal.Addition(commits, hour, new IngestTotals(1, 10, 5))));
        MeteredTable table = new MeteredTable(
                "uuid", TableIdentifier.of("acme", "logs"), "location-" + commits, journal, ColumnSet.of(List.of()));
        database.write(connection -> UsageStore.add(connection, table));
    }
}

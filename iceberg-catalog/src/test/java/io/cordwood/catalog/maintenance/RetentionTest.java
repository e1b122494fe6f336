package io.cordwood.catalog.maintenance;

import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.commit.BackOff;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.table.ExpiredBefore;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.ServiceCatalog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Days that expire, on the catalog service and real files. */
class RetentionTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 3, 15);
    private static final Instant NOW = TODAY.atTime(0, 0, 1).toInstant(ZoneOffset.UTC);
    private static final int DAYS = 30;

    @TempDir
    private Path directory;

    private ServiceCatalog service;
    private CatalogFixture fixture;

    @BeforeEach
    void start() throws IOException {
        service = new ServiceCatalog(directory);
        fixture = service.fixture;
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void exactlyTheExpiredDaysGo() throws Exception {
        List<LogBlockFile> files = thirtyDays();
        Retention.Dropped dropped = apply(service.catalog(), 7);
        List<LogBlockFile> expired = files.stream()
                .filter(file -> file.epochDay() < TODAY.minusDays(7).toEpochDay())
                .toList();
        assertThat(expired).hasSize(2 * (DAYS - 8));
        assertThat(dropped.logBlocks()).isEqualTo(expired.size());
        assertThat(dropped.rows()).isEqualTo(5L * expired.size());
        assertThat(dropped.objectsDeleted()).isEqualTo(expired.size());
        List<LogBlockFile> kept = new ArrayList<>(files);
        kept.removeAll(expired);
        assertThat(live()).containsExactlyInAnyOrderElementsOf(locations(kept));
        assertThat(files).allMatch(file -> service.exists(file) == kept.contains(file));
        assertThat(expiredBefore()).isEqualTo("2026-03-08T00:00:00Z");
        assertThat(fixture.offset()).as("table offset stays").isEqualTo(5L * files.size());
    }

    @Test
    void theDropAndThePropertyAreOneCommit() throws Exception {
        thirtyDays();
        int snapshots = fixture.snapshots().size();
        apply(service.catalog(), 7);
        assertThat(fixture.snapshots()).hasSize(snapshots + 1);
        apply(service.catalog(), 7);
        assertThat(fixture.snapshots()).as("nothing is left to drop").hasSize(snapshots + 1);
    }

    @Test
    void whatHasExpiredNeverComesBack() throws Exception {
        thirtyDays();
        apply(service.catalog(), 7);
        LogBlockFile late = service.commit(
                fixture.offset(), fixture.offset() + 5, TODAY.minusDays(25).toEpochDay());
        apply(service.catalog(), 20);
        assertThat(expiredBefore()).as("a longer retention").isEqualTo("2026-03-08T00:00:00Z");
        assertThat(service.exists(late)).isFalse();
        assertThat(live()).doesNotContain(late.location());
    }

    @Test
    void aTableWithManyExpiredFilesTakesSeveralCommits() throws Exception {
        List<LogBlockFile> files = thirtyDays();
        Retention.Dropped dropped =
                new Retention(service.catalog(), () -> new BackOff(2, 1, 1), 10).apply(TENANT, STREAM, 7, NOW);
        assertThat(dropped.logBlocks()).isEqualTo(44);
        assertThat(live()).hasSize(files.size() - 44);
    }

    @ParameterizedTest
    @ValueSource(strings = {"conflict", "unknown", "broken"})
    void aLostAnswerIsFoundOutByReloading(String answer) throws Exception {
        RuntimeException failure = switch (answer) {
            case "conflict" -> new CommitFailedException("the requirement failed: main has changed");
            case "unknown" -> new CommitStateUnknownException(new IOException("503"));
            default -> new IllegalStateException("connection reset");
        };
        List<LogBlockFile> files = thirtyDays();
        Retention.Dropped dropped = apply(service.losingFirstAnswer(failure), 7);
        assertThat(dropped.logBlocks()).isEqualTo(44);
        assertThat(live()).hasSize(files.size() - 44);
        assertThat(files).filteredOn(service::exists).hasSize(files.size() - 44);
    }

    @Test
    void withoutACommitNoObjectIsDeleted() throws Exception {
        List<LogBlockFile> files = thirtyDays();
        Catalog refusing = service.refusing(new CommitStateUnknownException(new IOException("disk full")));
        assertThatThrownBy(() -> apply(refusing, 7))
                .isInstanceOf(TableCommitException.class)
                .hasMessageContaining("dropping expired days failed in 3 attempts")
                .hasMessageContaining("disk full");
        assertThat(files).allMatch(service::exists);
        assertThat(live()).hasSize(files.size());
    }

    @Test
    void aCommitInBetweenIsBuiltUpon() throws Exception {
        thirtyDays();
        long from = fixture.offset();
        List<LogBlockFile> between = new ArrayList<>();
        Catalog racing = service.beforeFirstCommit(() -> {
            between.add(service.commit(from, from + 5, TODAY.toEpochDay()));
            between.add(service.commit(from + 5, from + 10, TODAY.minusDays(20).toEpochDay()));
        });
        Retention.Dropped dropped = apply(racing, 7);
        assertThat(dropped.logBlocks()).isEqualTo(45);
        assertThat(service.exists(between.get(0))).isTrue();
        assertThat(service.exists(between.get(1))).isFalse();
        assertThat(live()).contains(between.get(0).location()).hasSize(17);
        assertThat(fixture.offset()).isEqualTo(from + 10);
    }

    /** Objects that were rewritten during the search are not ours to delete: only what our commit dropped is. */
    @Test
    void filesThatAnotherCommitRewroteAreNotDeletedByUs() throws Exception {
        LogBlockFile old = service.commit(0, 5, TODAY.minusDays(20).toEpochDay());
        Catalog racing = service.beforeFirstCommit(
                () -> fixture.table().newDelete().deleteFile(old.location()).commit());
        assertThat(apply(racing, 7).logBlocks()).isZero();
        assertThat(service.exists(old)).isTrue();
    }

    @Test
    void filesOfAForeignSpecGoWhenAllTheirRowsHaveExpired() throws Exception {
        service.commit(0, 5, TODAY.toEpochDay());
        Table table = fixture.table();
        table.updateSpec().removeField("ts_day").commit();
        DataFile expired = foreign(
                "expired",
                TODAY.minusDays(7).atStartOfDay().toInstant(ZoneOffset.UTC).minusMillis(1));
        DataFile straddling =
                foreign("straddling", TODAY.minusDays(7).atStartOfDay().toInstant(ZoneOffset.UTC));
        DataFile unknown = foreignWithout("unknown");
        fixture.table()
                .newAppend()
                .appendFile(expired)
                .appendFile(straddling)
                .appendFile(unknown)
                .commit();
        apply(service.catalog(), 7);
        assertThat(live())
                .contains(straddling.location(), unknown.location())
                .doesNotContain(expired.location())
                .hasSize(3);
        assertThat(service.exists(expired.location())).isFalse();
        assertThat(service.exists(straddling.location())).isTrue();
    }

    @Test
    void deleteFilesGoWithTheirDay() throws Exception {
        LogBlockFile old = service.commit(0, 5, TODAY.minusDays(20).toEpochDay());
        LogBlockFile recent = service.commit(5, 10, TODAY.minusDays(7).toEpochDay());
        DeleteFile oldDeletes = deletes("old", old);
        DeleteFile recentDeletes = deletes("recent", recent);
        fixture.table()
                .newRowDelta()
                .addDeletes(oldDeletes)
                .addDeletes(recentDeletes)
                .commit();
        assertThat(apply(service.catalog(), 7).objectsDeleted()).isEqualTo(2);
        assertThat(service.exists(oldDeletes.location())).isFalse();
        assertThat(service.exists(recentDeletes.location())).isTrue();
        Snapshot snapshot = fixture.table().currentSnapshot();
        assertThat(snapshot.summary()).containsEntry("total-delete-files", "1").containsEntry("total-data-files", "1");
    }

    @Test
    void aTableThatDoesNotExistHasNothingToDrop() throws Exception {
        assertThat(new Retention(service.catalog()).apply("nobody", STREAM, 7, NOW))
                .isEqualTo(Retention.Dropped.NOTHING);
        assertThatThrownBy(() -> apply(service.catalog(), 0)).hasMessageContaining("at least 1");
    }

    @Test
    void theClockDecidesTheDayInUtc() throws Exception {
        LogBlockFile file = service.commit(0, 5, TODAY.minusDays(8).toEpochDay());
        new Retention(service.catalog()).apply(TENANT, STREAM, 7, NOW.minus(Duration.ofSeconds(2)));
        assertThat(service.exists(file)).as("yesterday still").isTrue();
        apply(service.catalog(), 7);
        assertThat(service.exists(file)).isFalse();
    }

    private List<LogBlockFile> thirtyDays() throws InterruptedException {
        List<LogBlockFile> files = new ArrayList<>();
        long offset = 0;
        for (int day = 0; day < DAYS; day++) {
            for (int i = 0; i < 2; i++) {
                files.add(fixture.logBlock(PARTITION, offset, offset + 5, (int)
                        TODAY.minusDays(day).toEpochDay()));
                offset += 5;
            }
        }
        for (int i = 0; i < files.size(); i += 10) {
            service.commit(fixture.flush(PARTITION, i * 5L, (i + 10) * 5L, files.subList(i, i + 10)));
        }
        return files;
    }

    private static Retention.Dropped apply(Catalog catalog, int days) throws InterruptedException {
        return new Retention(catalog, () -> new BackOff(3, 1, 1), 1000).apply(TENANT, STREAM, days, NOW);
    }

    private List<String> live() {
        return fixture.liveFiles().stream().map(DataFile::location).toList();
    }

    private static List<String> locations(List<LogBlockFile> files) {
        return files.stream().map(LogBlockFile::location).toList();
    }

    private String expiredBefore() {
        return fixture.table().properties().get(ExpiredBefore.PROPERTY);
    }

    private DataFile foreign(String name, Instant lastTime) {
        long micros = TimeUnit.MILLISECONDS.toMicros(lastTime.toEpochMilli());
        Map<Integer, ByteBuffer> upper = Map.of(2, Conversions.toByteBuffer(Types.TimestampType.withZone(), micros));
        return foreignBuilder(name)
                .withMetrics(new Metrics(5L, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), upper))
                .build();
    }

    private DataFile foreignWithout(String name) {
        return foreignBuilder(name).withRecordCount(5).build();
    }

    private DataFiles.Builder foreignBuilder(String name) {
        return DataFiles.builder(fixture.table().spec())
                .withPath(written(name))
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(1);
    }

    private DeleteFile deletes(String name, LogBlockFile of) {
        return FileMetadata.deleteFileBuilder(fixture.table().spec())
                .ofPositionDeletes()
                .withPath(written(name))
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(1)
                .withRecordCount(1)
                .withPartitionPath("ts_day=" + LocalDate.ofEpochDay(of.epochDay()))
                .build();
    }

    private String written(String name) {
        String location = fixture.table().location() + "/data/" + name + ".parquet";
        try (PositionOutputStream out =
                fixture.table().io().newOutputFile(location).create()) {
            out.write(1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return location;
    }
}

package io.cordwood.catalog.commit;

import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.client.CatalogHttp;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.maintenance.Retention;
import io.cordwood.catalog.maintenance.SnapshotExpiry;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.testing.CatalogFixture;
import io.cordwood.catalog.testing.FaultyOperations;
import io.cordwood.catalog.testing.ServiceCatalog;
import io.cordwood.catalog.testing.SqliteCatalog;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.UpdateRequirements;
import org.apache.iceberg.rest.ResourcePaths;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables with commits in the future: all clocks of an installation were ahead and are right now, or were right
 * and are set back.
 */
class TableTimesTest {
    private static final int DAY = 20_000;

    @TempDir
    private Path directory;

    private ServiceCatalog service;

    @BeforeEach
    void start() throws IOException {
        service = new ServiceCatalog(directory);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT3H", "P3650D"})
    void aTableIsCommittedToAsEver(Duration ahead) throws Exception {
        service.commit(0, 5, DAY - 30);
        service.commit(5, 10, DAY);
        moveAhead(ahead);

        service.commit(10, 15, DAY);
        service.client.ensureTable(
                TENANT, STREAM, List.of(new ColumnDefinition("late", ColumnType.BIGINT, IndexKind.NONE)));
        Instant now = Instant.ofEpochSecond(Duration.ofDays(DAY).toSeconds());
        assertThat(new Retention(service.catalog())
                        .apply(TENANT, STREAM, 7, now)
                        .logBlocks())
                .isEqualTo(1);

        assertThat(service.fixture.offset()).isEqualTo(15);
        TableMetadata metadata = metadata();
        assertThat(metadata.schema().findField("late")).isNotNull();
        long latest = System.currentTimeMillis();
        assertThat(metadata.lastUpdatedMillis()).isLessThanOrEqualTo(latest);
        assertThat(metadata.snapshots())
                .hasSize(4)
                .allSatisfy(snapshot -> assertThat(snapshot.timestampMillis()).isLessThanOrEqualTo(latest));
    }

    /** Iceberg takes a snapshot that has another time than before for another one, and cleans up after the old. */
    @ParameterizedTest
    @ValueSource(strings = {"PT3H", "P3650D"})
    void nothingThatIsInUseGoesWithOldSnapshots(Duration ahead) throws Exception {
        LogBlockFile dropped = service.commit(0, 5, DAY);
        LogBlockFile kept = service.commit(5, 10, DAY);
        service.fixture.table().newDelete().deleteFile(dropped.location()).commit();
        moveAhead(ahead, metadata().currentSnapshot().timestampMillis());

        SnapshotExpiry.Done done = new SnapshotExpiry(service.catalog())
                .apply(TENANT, STREAM, Instant.now().plus(Duration.ofHours(2)));

        assertThat(done.snapshotsExpired()).isEqualTo(2);
        assertThat(service.exists(dropped)).isFalse();
        assertThat(service.fixture.liveFiles())
                .singleElement()
                .satisfies(file -> assertThat(file.location()).isEqualTo(kept.location()));
        assertThat(service.exists(kept)).isTrue();
    }

    /** They would be old, or never grow old. */
    @ParameterizedTest
    @ValueSource(longs = {-10_800_000L, 315_360_000_000L})
    void snapshotsHaveTheTimeOfTheServiceWhateverClockTheirWriterHas(long aheadMillis) throws Exception {
        service.commit(0, 5, DAY);
        LogBlockFile file = service.fixture.logBlock(PARTITION, 5, 10, DAY);
        LogBlockCommitter committer = new LogBlockCommitter(
                service.faulty(operations -> new FaultyOperations(operations) {
                    @Override
                    public void faultyCommit(TableMetadata base, TableMetadata metadata) {
                        List<MetadataUpdate> updates = metadata.changes();
                        long written = metadata.currentSnapshot().timestampMillis();
                        String request = UpdateTableRequestParser.toJson(UpdateTableRequest.create(
                                CatalogFixture.IDENTIFIER, UpdateRequirements.forUpdateTable(base, updates), updates));
                        try (CatalogHttp http = new CatalogHttp(service.server.uri(), Optional.empty())) {
                            http.commit(
                                    ResourcePaths.forCatalogProperties(Map.of()).table(CatalogFixture.IDENTIFIER),
                                    request.replace(
                                            "\"timestamp-ms\":" + written,
                                            "\"timestamp-ms\":" + (written + aheadMillis)));
                        }
                        operations.refresh();
                    }
                }),
                (tenant, stream) -> TableOffsets.NONE,
                (tenant, stream, flush, first) -> List.of());
        long before = System.currentTimeMillis();
        committer.commit(TENANT, STREAM, List.of(service.fixture.flush(PARTITION, 5, 10, List.of(file))));

        assertThat(service.fixture.offset()).isEqualTo(10);
        Snapshot committed = metadata().currentSnapshot();
        assertThat(committed.timestampMillis()).isBetween(before - 60_000, System.currentTimeMillis());
        assertThat(committed.summary()).containsEntry("added-data-files", "1");
    }

    private TableMetadata metadata() {
        return ((BaseTable) service.fixture.table()).operations().current();
    }

    /** As if all that was done to the table had been done so much later. */
    private void moveAhead(Duration ahead) throws Exception {
        moveAhead(ahead, 0);
    }

    /** As if all that was done to the table from this time on had been done so much later. */
    private void moveAhead(Duration ahead, long fromMillis) throws Exception {
        TableMetadata metadata = metadata();
        ObjectNode json = (ObjectNode) Json.MAPPER.readTree(TableMetadataParser.toJson(metadata));
        add(json, "last-updated-ms", ahead, fromMillis);
        for (String list : List.of("snapshots", "snapshot-log", "metadata-log")) {
            for (JsonNode entry : json.path(list)) {
                add((ObjectNode) entry, "timestamp-ms", ahead, fromMillis);
            }
        }
        String location = metadata.location() + "/metadata/00099-ahead.metadata.json";
        TableMetadataParser.overwrite(
                TableMetadataParser.fromJson(json.toString()),
                service.client.io().newOutputFile(location));
        try (Connection connection = DriverManager.getConnection(SqliteCatalog.url(directory));
                PreparedStatement update =
                        connection.prepareStatement("UPDATE iceberg_tables SET metadata_location = ?")) {
            update.setString(1, location);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    private static void add(ObjectNode json, String member, Duration ahead, long fromMillis) {
        long millis = json.path(member).asLong();
        if (millis >= fromMillis) {
            json.put(member, millis + ahead.toMillis());
        }
    }
}

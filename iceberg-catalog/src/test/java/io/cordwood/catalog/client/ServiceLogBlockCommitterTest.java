package io.cordwood.catalog.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.commit.CommitTables;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.server.SecuredService;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.testing.CatalogFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committer through operations of our own on tables of the catalog service. */
public class ServiceLogBlockCommitterTest extends RestLogBlockCommitterTest {
    @Override
    public TableOperations operations(TableOperations ofCatalog) {
        return new ServiceTableOperations(
                new CatalogHttp(uri(), Optional.empty()),
                ofCatalog.io(),
                CatalogFixture.IDENTIFIER,
                ofCatalog.current());
    }

    @Test
    void aTableIsFoundWithWhatIsSettledOfIt() throws Exception {
        ServiceTables tables = new ServiceTables(new CatalogHttp(uri(), Optional.empty()), client().io());
        assertThat(tables.find("acme", "nowhere"))
                .isEqualTo(new CommitTables.Found(TableOffsets.NONE, Optional.empty()));

        TableOffsets floor = TableOffsets.of(Map.of(CatalogFixture.PARTITION, 7L));
        PartitionId other = new PartitionId("topic-B", 0);
        client().advanceArchivedThrough(CatalogFixture.STREAM, Map.of(other, 3L));
        client().ensureTable("gone", CatalogFixture.STREAM, List.of());
        client().deleteTenant("gone", Map.of(CatalogFixture.STREAM, floor));
        assertThat(tables.find("gone", CatalogFixture.STREAM))
                .isEqualTo(new CommitTables.Found(floor.max(TableOffsets.of(Map.of(other, 3L))), Optional.empty()));

        TableOperations found = tables.find(CatalogFixture.TENANT, CatalogFixture.STREAM)
                .operations()
                .orElseThrow();
        commit(fixture.flush(0, 10));
        assertThat(found.current().currentSnapshot()).isNull();
        assertThat(found.refresh().currentSnapshot()).isNotNull();
    }

    @Test
    void severalTablesAreFoundAsEachIsAlone() throws Exception {
        ServiceTables tables = new ServiceTables(new CatalogHttp(uri(), Optional.empty()), client().io());
        commit(fixture.flush(0, 10));
        client().advanceArchivedThrough(CatalogFixture.STREAM, Map.of(new PartitionId("topic-B", 0), 3L));
        client().ensureTable("gone", CatalogFixture.STREAM, List.of());
        client().deleteTenant(
                        "gone", Map.of(CatalogFixture.STREAM, TableOffsets.of(Map.of(CatalogFixture.PARTITION, 7L))));
        Set<String> tenants = Set.of("gone", "nobody", CatalogFixture.TENANT);
        Map<String, CommitTables.Found> found = tables.findAll(CatalogFixture.STREAM, tenants);
        assertThat(found).containsOnlyKeys(tenants);
        for (String tenant : tenants) {
            CommitTables.Found alone = tables.find(tenant, CatalogFixture.STREAM);
            assertThat(found.get(tenant).settled()).isEqualTo(alone.settled());
            assertThat(found.get(tenant)
                            .operations()
                            .map(TableOperations::current)
                            .map(TableMetadata::metadataFileLocation))
                    .isEqualTo(
                            alone.operations().map(TableOperations::current).map(TableMetadata::metadataFileLocation));
        }
    }

    @Test
    void aTableThatCannotBeReadIsLeftOut() {
        ServiceTables tables = new ServiceTables(new CatalogHttp(uri(), Optional.empty()), client().io());
        LoadedTable broken = client().ensureTable("broken", CatalogFixture.STREAM, List.of());
        client().io().deleteFile(broken.metadataLocation());
        assertThat(tables.findAll(CatalogFixture.STREAM, Set.of("broken", CatalogFixture.TENANT)))
                .containsOnlyKeys(CatalogFixture.TENANT);
    }

    @Test
    void theTableAfterACommitIsTheCommittedOne() throws Exception {
        ServiceTables tables = new ServiceTables(new CatalogHttp(uri(), Optional.empty()), client().io());
        TableOperations found = tables.find(CatalogFixture.TENANT, CatalogFixture.STREAM)
                .operations()
                .orElseThrow();
        TableMetadata base = found.current();
        found.commit(base, base.replaceProperties(Map.of("owner", "me")));
        assertThat(found.current().properties()).containsEntry("owner", "me");
        assertThat(found.current().metadataFileLocation()).isNotEqualTo(base.metadataFileLocation());
    }

    @Test
    void floorsOfADeletedTenantAreRaisedWhereThereAreSome() {
        ServiceTables tables = new ServiceTables(new CatalogHttp(uri(), Optional.empty()), client().io());
        PartitionId other = new PartitionId("topic-B", 0);
        client().ensureTable("gone", "logs", List.of());
        client().deleteTenant("gone", Map.of("logs", TableOffsets.of(Map.of(CatalogFixture.PARTITION, 50L))));
        tables.raiseFloors("gone", "logs", TableOffsets.of(Map.of(CatalogFixture.PARTITION, 60L, other, 60L)));
        tables.raiseFloors("gone", "logs", TableOffsets.of(Map.of(CatalogFixture.PARTITION, 40L)));
        tables.raiseFloors("nobody", "logs", TableOffsets.of(Map.of(other, 60L)));
        assertThat(client().pointers("logs").floors())
                .isEqualTo(Map.of("gone", TableOffsets.of(Map.of(CatalogFixture.PARTITION, 60L))));
    }

    @Test
    void aTokenThatIsNotKnownIsNotTriedAgain(@TempDir Path secured) throws Exception {
        try (SecuredService service = new SecuredService("jdbc:sqlite:" + secured.resolve("catalog.db"), secured);
                CatalogHttp http = new CatalogHttp(service.server.uri(), Optional.of("unknown"))) {
            ServiceTables tables = new ServiceTables(http, client().io());
            assertThatThrownBy(() -> tables.find(CatalogFixture.TENANT, CatalogFixture.STREAM))
                    .isInstanceOf(TableCommitException.class);
        }
    }
}

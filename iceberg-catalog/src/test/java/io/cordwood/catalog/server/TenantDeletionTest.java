package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.server.http.Call;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.http.Route;
import io.cordwood.catalog.server.identity.Audit;
import io.cordwood.catalog.server.identity.Revocations;
import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.RevocationClock;
import io.cordwood.catalog.server.store.TenantStore;
import io.cordwood.catalog.server.table.OwnLocationCatalog;
import io.cordwood.catalog.server.table.TableLocks;
import io.cordwood.catalog.server.table.TableProvisioning;
import io.cordwood.catalog.server.table.TenantTables;
import io.cordwood.catalog.server.table.TenantTombstones;
import io.cordwood.catalog.server.table.UsageRollUp;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.testing.SqliteCatalog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tenant is deleted while its rows keep coming in. */
class TenantDeletionTest {
    private static final TableOffsets FLOOR = TableOffsets.NONE.with(new PartitionId("topic-A", 0), 50);

    @TempDir
    private Path directory;

    private Runnable afterDrop = () -> {};
    private Runnable afterLoad = () -> {};
    private OwnLocationCatalog catalog;
    private Database database;
    private final TableLocks locks = new TableLocks();
    private UsageRollUp usage;
    private TableProvisioning provisioning;

    @BeforeEach
    void open() {
        String url = SqliteCatalog.url(directory);
        database = Database.open(url);
        catalog = new OwnLocationCatalog(database) {
            @Override
            public boolean dropNamespace(Namespace namespace) {
                afterDrop.run();
                return super.dropNamespace(namespace);
            }

            @Override
            public Table loadTable(TableIdentifier identifier) {
                Table table = super.loadTable(identifier);
                afterLoad.run();
                return table;
            }
        };
        catalog.initialize(Database.CATALOG_NAME, SqliteCatalog.properties(directory));
        usage = new UsageRollUp(
                catalog.io(), database, new ServiceMetrics(), InstantSource.system(), InstantSource.system());
        provisioning = new TableProvisioning(catalog, database, locks, usage);
        provisioning.ensure("acme", "logs", List.of(), List.of(), Optional.empty());
    }

    @AfterEach
    void close() {
        usage.close();
        database.close();
        catalog.close();
    }

    @Test
    void aTableMadeMeanwhileHasItsTenantAndStartsAtTheFloor() {
        afterDrop = () -> {
            afterDrop = () -> {};
            provisioning.ensure("acme", "logs", List.of(), List.of(), Optional.empty());
        };
        delete();
        TableMetadata table = provisioning
                .ensure("acme", "logs", List.of(), List.of(), Optional.empty())
                .table()
                .orElseThrow();
        assertThat(TableOffsets.fromProperties(table.properties())).isEqualTo(FLOOR);
        assertThat(tenants()).containsExactly(Tenant.of("acme"));
    }

    @Test
    void aTableThatChangesMeanwhileIsNotDropped() {
        afterLoad = () -> {
            afterLoad = () -> {};
            provisioning.ensure(
                    "acme", "logs", List.of(ColumnDefinition.keyword("level")), List.of(), Optional.empty());
        };
        assertThatThrownBy(this::delete)
                .isInstanceOf(CommitFailedException.class)
                .hasMessageContaining("has changed since it was read");
        assertThat(tenants()).as("nothing was done").containsExactly(Tenant.of("acme"));
        assertThat(catalog.tableExists(TenantNames.table("acme", "logs"))).isTrue();
        delete();
        assertThat(tenants()).isEmpty();
        assertThat(catalog.namespaceExists(Namespace.of("acme"))).isFalse();
    }

    @Test
    void aTenantIsForgottenWithItsTables() {
        afterDrop = () -> {
            assertThat(tenants()).isEmpty();
            assertThat(catalog.tableExists(TenantNames.table("acme", "logs"))).isFalse();
        };
        delete();
        assertThat(catalog.namespaceExists(Namespace.of("acme"))).isFalse();
    }

    @Test
    void aDeletionThatBrokeOffIsRepeated() {
        afterDrop = () -> {
            throw new IllegalStateException("killed");
        };
        provisioning.ensure("acme", "others", List.of(), List.of(), Optional.empty());
        assertThatThrownBy(this::delete).hasMessage("killed");
        afterDrop = () -> {};
        delete();
        assertThat(catalog.namespaceExists(Namespace.of("acme"))).isFalse();
    }

    @Test
    void ensureRegistersTheTenantOfATableThatExists() {
        database.write(connection -> {
            TenantStore.delete(connection, "acme");
            return null;
        });
        provisioning.ensure("acme", "logs", List.of(), List.of(), Optional.empty());
        assertThat(tenants()).containsExactly(Tenant.of("acme"));
    }

    private void delete() {
        TenantTables tables = new TenantTables(database, catalog, locks, usage);
        Revocations revocations = new Revocations(new RevocationClock(database, InstantSource.system()));
        Route route = new TenantDeletionRoutes(
                        database,
                        catalog,
                        tables,
                        new TenantTombstones(catalog.io(), "file://" + directory.resolve("warehouse")),
                        revocations,
                        new Audit(database, InstantSource.system()),
                        InstantSource.system(),
                        InstantSource.system())
                .routes().stream()
                        .filter(candidate -> candidate.toString().equals("DELETE /cordwood/v1/tenants/{schema}"))
                        .findFirst()
                        .orElseThrow();
        byte[] body = "{\"floors\":{\"logs\":%s}}".formatted(FLOOR.toJson()).getBytes(StandardCharsets.UTF_8);
        route.action().answer(new Call(Caller.ANYONE, Map.of("schema", "acme"), Map.of(), name -> null, "", body));
    }

    private List<Tenant> tenants() {
        return database.read(TenantStore::all);
    }
}

package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.delete.DeleteCommitter;
import io.cordwood.catalog.delete.WrittenDeletes;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.catalog.usage.AppendRun;
import io.cordwood.identity.ServiceRole;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.write.LogBlockSummary;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each service may do what it does, and nothing else. */
class ServiceRolesTest {
    private static final String ALL = "ingest compactor query balancer search gateway";
    private static final PartitionId P0 = new PartitionId("topic-A", 0);

    /** By endpoint: the services that may use it. */
    private static final Map<String, String> ENDPOINTS = Map.ofEntries(
            Map.entry("GET /v1/config", ALL),
            Map.entry("GET /cordwood/v1/whoami", ALL),
            Map.entry("GET /cordwood/v1/jwks", ALL),
            Map.entry("GET /cordwood/v1/token-rules", ALL),
            Map.entry("GET /v1/namespaces", "query search"),
            Map.entry("POST /v1/namespaces", ""),
            Map.entry("GET /v1/namespaces/acme", "query search"),
            Map.entry("DELETE /v1/namespaces/nobody", ""),
            Map.entry("POST /v1/namespaces/acme/properties", ""),
            Map.entry("GET /v1/namespaces/acme/tables", "query search"),
            Map.entry("POST /v1/namespaces/acme/tables", ""),
            Map.entry("GET /v1/namespaces/acme/tables/logs", "ingest compactor query search"),
            Map.entry("POST /v1/namespaces/acme/tables/none", "ingest compactor query"),
            Map.entry("DELETE /v1/namespaces/acme/tables/none", ""),
            Map.entry("POST /v1/namespaces/acme/tables/logs/metrics", "query search"),
            Map.entry("POST /v1/tables/rename", ""),
            Map.entry("GET /cordwood/v1/tenants", "compactor query search balancer"),
            Map.entry("GET /cordwood/v1/tenants/acme", "compactor query search balancer gateway"),
            Map.entry("PUT /cordwood/v1/tenants/acme", ""),
            Map.entry("DELETE /cordwood/v1/tenants/nobody", ""),
            Map.entry("GET /cordwood/v1/tenant-deletions", "compactor"),
            Map.entry("POST /cordwood/v1/tenant-deletions/nobody", "compactor"),
            Map.entry("GET /cordwood/v1/alerts", "query search"),
            Map.entry("GET /cordwood/v1/tenants/acme/alerts", "query search"),
            Map.entry("GET /cordwood/v1/tenants/acme/alerts/none", "query search"),
            Map.entry("PUT /cordwood/v1/tenants/acme/alerts/none", ""),
            Map.entry("DELETE /cordwood/v1/tenants/acme/alerts/none", ""),
            Map.entry("PUT /cordwood/v1/tenants/acme/alerts/none/status", "search"),
            Map.entry("POST /cordwood/v1/alert-evaluator", "search"),
            Map.entry("GET /cordwood/v1/tenants/acme/pipeline", "gateway"),
            Map.entry("PUT /cordwood/v1/tenants/acme/pipeline", ""),
            Map.entry("DELETE /cordwood/v1/tenants/acme/pipeline", ""),
            Map.entry("GET /cordwood/v1/deletions", "compactor query"),
            Map.entry("PUT /cordwood/v1/deletions/x", "compactor query"),
            Map.entry("DELETE /cordwood/v1/deletions/x", "query"),
            Map.entry("GET /cordwood/v1/streams/logs/pointers", "compactor query search"),
            Map.entry("POST /cordwood/v1/streams/logs/pointers", "compactor query search"),
            Map.entry("GET /cordwood/v1/streams/logs/columns", "query search"),
            Map.entry("GET /cordwood/v1/streams/logs/archived-through", "compactor ingest"),
            Map.entry("POST /cordwood/v1/streams/logs/archived-through", "ingest"),
            Map.entry("GET /cordwood/v1/streams/logs/flush-requests", "ingest"),
            Map.entry("POST /cordwood/v1/streams/logs/flush-requests", "query"),
            Map.entry("POST /cordwood/v1/streams/logs/floors", "ingest"),
            Map.entry("PUT /cordwood/v1/streams/logs/topic", "ingest"),
            Map.entry("POST /cordwood/v1/streams/logs/table", "ingest"),
            Map.entry("POST /cordwood/v1/streams/logs/tables", "ingest"),
            Map.entry("POST /cordwood/v1/streams/logs/tables/states", "ingest"),
            Map.entry("POST /cordwood/v1/tables", "ingest"),
            Map.entry("POST /cordwood/v1/usage", "query"),
            Map.entry("PUT /cordwood/v1/scans/x", "query search"),
            Map.entry("GET /cordwood/v1/time", "compactor"),
            Map.entry("GET /cordwood/v1/users", "query search balancer gateway"),
            Map.entry("GET /cordwood/v1/users/admin", ""),
            Map.entry("PUT /cordwood/v1/users/x", ""),
            Map.entry("DELETE /cordwood/v1/users/x", ""),
            Map.entry("POST /cordwood/v1/users/x/tokens", ""),
            Map.entry("GET /cordwood/v1/tokens", ""),
            Map.entry("DELETE /cordwood/v1/tokens/x", ""),
            Map.entry("GET /cordwood/v1/audit", ""));

    @TempDir
    private Path directory;

    private SecuredService service;

    @BeforeEach
    void start() throws Exception {
        service = new SecuredService("jdbc:sqlite:" + directory.resolve("catalog.db"), directory);
        service.admin.ensureTable("acme", "logs", List.of());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void endpointsOfEachService() throws Exception {
        Map<ServiceRole, String> tokens = new EnumMap<>(ServiceRole.class);
        for (ServiceRole role : ServiceRole.values()) {
            tokens.put(role, service.service(role));
        }
        for (Map.Entry<String, String> endpoint : ENDPOINTS.entrySet()) {
            String[] parts = endpoint.getKey().split(" ", 2);
            String body = parts[0].equals("GET") ? "" : "{}";
            Set<String> allowed = new TreeSet<>();
            for (Map.Entry<ServiceRole, String> token : tokens.entrySet()) {
                int status =
                        service.send(parts[0], parts[1], body, token.getValue()).statusCode();
                assertThat(status).as(endpoint.getKey()).isNotIn(401, 413, 500);
                if (status != 403) {
                    allowed.add(token.getKey().label());
                }
            }
            assertThat(allowed)
                    .as(endpoint.getKey())
                    .isEqualTo(Set.of(endpoint.getValue().split(" ", -1)).stream()
                            .filter(name -> !name.isEmpty())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    @Test
    void ingestCommitsRowsAndTheQueryServiceDeletesThem() throws Exception {
        CatalogClient ingest = service.client(service.service(ServiceRole.INGEST));
        LoadedTable table = ingest.ensureTable("acme", "logs", List.of());
        String location = LogBlockNames.newLocation(table.location(), 20_000, P0, 0, 10);
        try (OutputStream out = ingest.io().newOutputFile(location).create()) {
            out.write(1);
        }
        LogBlockFile file = new LogBlockFile(
                location,
                20_000,
                new LogBlockSummary(1, 10, 0, new TimeRange(0, 1), List.of(4L), Map.of(), Map.of(), Optional.empty()));
        Flush flush = new Flush(
                P0.topicId(),
                P0.partition(),
                0,
                10,
                table.uuid(),
                List.of(file),
                List.of(new AppendRun(0, 480_000, 10, 100)));
        assertThat(ingest.committer((t, s, f, first) -> List.of()).commit("acme", "logs", List.of(flush)))
                .allMatch(outcome -> outcome.status() == CommitOutcome.Status.COMMITTED);

        CatalogClient query = service.client(service.service(ServiceRole.QUERY));
        Table read = query.catalog().loadTable(TenantNames.table("acme", "logs"));
        query.deleteCommitter()
                .commit(new DeleteCommitter.Deletes(
                        "a-deletion",
                        "acme",
                        "logs",
                        table.uuid(),
                        read.currentSnapshot().snapshotId(),
                        List.of(new WrittenDeletes(
                                table.location() + "/data/x-deletes.parquet", 10, 1, List.of(location)))));
        read.refresh();
        assertThat(read.currentSnapshot().summary()).containsEntry("added-delete-files", "1");
    }

    @Test
    void theQueryServiceChangesNothingElse() throws Exception {
        CatalogClient query = service.client(service.service(ServiceRole.QUERY));
        Table table = query.catalog().loadTable(TenantNames.table("acme", "logs"));
        assertThatThrownBy(() -> table.newAppend()
                        .appendFile(DataFiles.builder(table.spec())
                                .withPath(table.location() + "/data/x.parquet")
                                .withPartitionPath("ts_day=2024-01-01")
                                .withFileSizeInBytes(1)
                                .withRecordCount(1)
                                .build())
                        .commit())
                .isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> table.updateProperties().set("p", "v").commit())
                .isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> table.updateSchema()
                        .addColumn("c", Types.LongType.get())
                        .commit())
                .isInstanceOf(ForbiddenException.class);
        Table compacted = service.client(service.service(ServiceRole.COMPACTOR))
                .catalog()
                .loadTable(TenantNames.table("acme", "logs"));
        compacted.updateProperties().set("p", "v").commit();
        assertThat(compacted.properties()).containsEntry("p", "v");
    }
}

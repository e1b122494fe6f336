package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.TenantRole;
import io.cordwood.services.FaultyHttpProxy;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Mallory, who has a grant for acme, learns of globex by SQL: nothing, not even whether it exists. The numbers are
 * those of the list of attacks in the threat model; each attack has a twin that is allowed.
 */
class CordwoodIsolationIT {
    /** A tenant that is registered, and one that is not. */
    private static final List<String> OTHERS = List.of("globex", "initech");

    @TempDir
    private static Path home;

    private static Service kafka;
    private static SampleTopic topic;
    private static CordwoodQueryRunner runner;

    private final Session mallory = CordwoodQueryRunner.session("acme", "mallory");
    private final Session warden = CordwoodQueryRunner.session("acme", "warden");
    private final Session operator = CordwoodQueryRunner.session("acme", CordwoodQueryRunner.OPERATOR);

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        topic = SampleTopic.create(kafka, "logs", 1);
        runner = CordwoodQueryRunner.start(
                home,
                Map.of(
                        "cordwood.kafka-bootstrap-servers",
                        kafka.address(),
                        "cordwood.access-rules-cache-ttl",
                        "1ms",
                        "cordwood.streams",
                        "logs,none"));
        for (String tenant : List.of("acme", "globex")) {
            runner.tables().write(tenant, "logs", 0, SampleLogs.COLUMNS, rows(2));
        }
        topic.send("globex", 0, rows(500));
        topic.send("acme", 0, rows(3));
        topic.send("globex", 0, rows(500));
        runner.catalog().putUser(User.person("mallory", Map.of("acme", Set.of(TenantRole.READER))));
        runner.catalog().putUser(User.person("warden", Map.of("acme", Set.of(TenantRole.DELETER))));
        runner.catalog().putUser(User.person("shipper", Map.of("acme", Set.of(TenantRole.WRITER))));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
        topic.close();
        kafka.close();
    }

    private static List<SampleRow> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> SampleRow.of("2026-01-10T00:00:00Z", "level", "INFO", "message", "row " + n))
                .toList();
    }

    /** The denial of a statement, without the name of the tenant. */
    private String denial(String statement, String tenant) {
        String sql = statement.formatted(tenant);
        Throwable failure = catchThrowable(() -> runner.rows(mallory, sql));
        assertThat(failure).as(sql).isNotNull().hasMessageContaining("Access Denied");
        return failure.getMessage().replace(tenant, "TENANT");
    }

    private void assertSameDenial(String statement) {
        assertThat(OTHERS.stream().map(tenant -> denial(statement, tenant)).distinct())
                .as(statement)
                .hasSize(1);
    }

    @Test
    void attack25ATableOfAnotherTenantIsDeniedWhetherItExistsOrNot() {
        for (String statement : List.of(
                "SELECT * FROM %s.logs",
                "SELECT count(*) FROM %s.logs",
                "SELECT 1 FROM acme.logs WHERE EXISTS (SELECT 1 FROM %s.logs)",
                "SELECT * FROM %s.nothing",
                "TABLE %s.logs",
                "EXPLAIN SELECT * FROM %s.logs",
                "EXPLAIN ANALYZE SELECT * FROM %s.logs",
                "SHOW COLUMNS FROM %s.logs",
                "DESCRIBE %s.nothing",
                "SHOW CREATE TABLE %s.logs",
                "SHOW CREATE SCHEMA %s",
                "SHOW TABLES FROM %s",
                "SHOW STATS FOR %s.logs",
                "SHOW GRANTS ON TABLE %s.logs",
                "ANALYZE %s.logs",
                "DELETE FROM %s.logs",
                "DELETE FROM acme.logs WHERE level IN (SELECT level FROM %s.logs)",
                "UPDATE %s.logs SET level = 'x'",
                "INSERT INTO %s.logs (level) VALUES ('x')",
                "TRUNCATE TABLE %s.logs",
                "MERGE INTO %s.logs USING (VALUES 1) v(x) ON false WHEN MATCHED THEN DELETE",
                "CREATE TABLE %s.logs (x bigint)",
                "CREATE TABLE %s.t AS SELECT 1 AS x",
                "CREATE VIEW %s.v AS SELECT 1 AS x",
                "DROP TABLE %s.logs",
                "ALTER TABLE %s.logs ADD COLUMN x bigint",
                "COMMENT ON TABLE %s.logs IS 'x'",
                "ALTER SCHEMA %s RENAME TO c",
                "DROP SCHEMA %s",
                "USE cordwood.%s")) {
            assertSameDenial(statement);
        }
        assertThat(runner.rows(mallory, "SELECT count(*) FROM acme.logs")).containsExactly(List.of(5L));
        assertThat(runner.rows(operator, "SELECT count(*) FROM globex.logs")).containsExactly(List.of(1002L));
        assertThatThrownBy(() -> runner.rows(operator, "SELECT * FROM initech.logs"))
                .hasMessageContaining("does not exist");
    }

    /** With a Kafka that is gone, each query that asks it for rows fails and says so. */
    @Test
    void attack25NeitherKafkaNorTheCatalogIsAskedForAnotherTenant() throws Exception {
        try (FaultyHttpProxy catalog =
                FaultyHttpProxy.before(runner.catalogUri().getAuthority(), 1)) {
            runner.addCatalog(
                    "counted",
                    Map.of(
                            "cordwood.catalog-uri",
                            catalog.url(),
                            "cordwood.access-rules-cache-ttl",
                            "1h",
                            "cordwood.kafka-bootstrap-servers",
                            "127.0.0.1:" + unusedPort(),
                            "cordwood.streams",
                            "logs,none"));
            assertThatThrownBy(() -> runner.rows(mallory, "SELECT * FROM counted.acme.none"))
                    .hasMessageNotContaining("Access Denied");
            long before = catalog.requests();
            for (String tenant : OTHERS) {
                for (String stream : List.of("logs", "none", "nothing", "\"logs$first\"")) {
                    assertThat(denial("SELECT * FROM counted.%s." + stream, tenant))
                            .isEqualTo("Access Denied: Cannot access schema TENANT: user 'mallory' has no grant for"
                                    + " this tenant");
                }
            }
            assertThat(catalog.requests()).isEqualTo(before);
        }
    }

    /** A port on which no program listens. */
    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void attack26AColumnOfAnotherTenantIsDeniedWhetherItExistsOrNot() {
        for (String column : List.of("level", "nothing", "\"$path\"")) {
            for (String statement : List.of(
                    "SELECT " + column + " FROM %s.logs",
                    "SELECT ts FROM %s.logs WHERE " + column + " = 'x'",
                    "DELETE FROM %s.logs WHERE " + column + " = 'x'")) {
                assertSameDenial(statement);
            }
        }
        assertThat(Stream.of("level", "nothing").map(column -> denial("SELECT " + column + " FROM %s.logs", "globex")))
                .containsOnly(denial("SELECT * FROM %s.logs", "globex"));
        assertThat(runner.rows(mallory, "SELECT DISTINCT level FROM acme.logs")).containsExactly(List.of("INFO"));
        assertThatThrownBy(() -> runner.rows(mallory, "SELECT nothing FROM acme.logs"))
                .hasMessageContaining("cannot be resolved");
    }

    @Test
    void attack27NoOtherWayLeadsToRowsOfAnotherTenant() {
        for (String view : List.of("first", "last", "numbered", "second")) {
            assertSameDenial("SELECT * FROM %s.\"logs$" + view + "\"");
            assertSameDenial("DESCRIBE %s.\"logs$" + view + "\"");
            assertSameDenial("SHOW CREATE VIEW %s.\"logs$" + view + "\"");
        }
        assertSameDenial("SELECT * FROM TABLE(cordwood.system.tail(tenant => '%s'))");
        assertSameDenial("SELECT * FROM TABLE(cordwood.system.tail(tenant => '%s', stream => 'nothing'))");
        for (String table : List.of("logs", "\"logs$first\"", "\"logs$last\"", "\"logs$numbered\"")) {
            assertThat(runner.rows(mallory, "SELECT DISTINCT tenant_id FROM all_tenants." + table))
                    .as(table)
                    .containsExactly(List.of("acme"));
            assertThat(runner.rows(mallory, "SELECT * FROM all_tenants." + table + " WHERE tenant_id = 'globex'"))
                    .as(table)
                    .isEmpty();
            assertThat(runner.rows(operator, "SELECT DISTINCT tenant_id FROM all_tenants." + table))
                    .as(table)
                    .containsExactlyInAnyOrder(List.of("acme"), List.of("globex"));
        }
        assertThat(runner.rows(mallory, "SELECT * FROM TABLE(cordwood.system.tail(tenant => 'acme'))"))
                .hasSize(5);
        assertThat(runner.rows(mallory, "SELECT count(*), max(_collision) FROM acme.\"logs$numbered\""))
                .containsExactly(List.of(5L, 4L));
        assertThat(runner.rows(mallory, "SELECT count(*) FROM acme.\"logs$first\""))
                .containsExactly(List.of(1L));
        assertThat(runner.rows(mallory, "SELECT message FROM acme.\"logs$last\""))
                .isEqualTo(runner.rows(operator, "SELECT message FROM acme.\"logs$last\""));
    }

    @Test
    void listsNameNoOtherTenant() {
        for (String list : List.of(
                "SHOW SCHEMAS",
                "SELECT * FROM information_schema.schemata",
                "SELECT * FROM information_schema.tables",
                "SELECT * FROM information_schema.columns",
                "SELECT * FROM system.jdbc.tables WHERE table_cat = 'cordwood'",
                "SELECT * FROM system.jdbc.columns WHERE table_cat = 'cordwood'",
                "SELECT * FROM system.metadata.table_comments WHERE catalog_name = 'cordwood'",
                "SELECT * FROM cordwood.system.usage",
                "SELECT * FROM cordwood.system.alerts",
                "SELECT * FROM cordwood.system.deletions")) {
            assertThat(runner.rows(mallory, list).toString()).as(list).doesNotContain("globex");
        }
        for (String tenant : OTHERS) {
            for (String list : List.of("tables", "columns")) {
                assertThat(runner.rows(
                                mallory,
                                "SELECT * FROM information_schema.%s WHERE table_schema = '%s'"
                                        .formatted(list, tenant)))
                        .as(list)
                        .isEmpty();
                assertThat(runner.rows(
                                mallory,
                                "SELECT * FROM information_schema.%s WHERE table_schema = '%s' AND table_name = 'logs'"
                                        .formatted(list, tenant)))
                        .as(list)
                        .isEmpty();
            }
        }
        assertThat(runner.rows(mallory, "SELECT table_schema FROM information_schema.tables WHERE table_name = 'logs'"))
                .containsExactlyInAnyOrder(List.of("acme"), List.of("all_tenants"));
        assertThat(runner.rows(operator, "SHOW SCHEMAS").toString()).contains("globex");
    }

    private static Session with(Session session, String property, String value) {
        return Session.builder(session)
                .setCatalogSessionProperty("cordwood", property, value)
                .build();
    }

    @Test
    void attack29OnlyOperatorsSetLimitsThatAllShare() {
        Map<String, String> limits = Map.of(
                "hot_max_size", "1TB",
                "hot_read_timeout", "1h",
                "hot_statistics_interval", "0s",
                "delete_flush_timeout", "1h");
        String count = "SELECT count(*) FROM acme.logs";
        limits.forEach((property, value) -> {
            assertThatThrownBy(() -> runner.rows(with(mallory, property, value), count))
                    .as(property)
                    .hasMessageContaining("Access Denied")
                    .hasMessageContaining(property);
            assertThatThrownBy(() -> runner.rows(mallory, "SET SESSION cordwood.%s = '%s'".formatted(property, value)))
                    .as(property)
                    .hasMessageContaining("Access Denied")
                    .hasMessageContaining(property);
            assertThat(runner.rows(with(operator, property, value), count)).containsExactly(List.of(5L));
        });
        // A limit that a query of one's own passes or not would tell the size of the rest.
        assertThatThrownBy(() -> runner.rows(with(mallory, "hot_max_size", "1kB"), count))
                .hasMessageContaining("Access Denied");
        assertThat(runner.rows(with(mallory, "hot_tail", "off"), count)).containsExactly(List.of(2L));
    }

    @Test
    void attack30AReaderDeletesNoRows() {
        runner.tables().write("acme", "none", 0, SampleLogs.COLUMNS, rows(2));
        Session archived = with(warden, "hot_tail", "off");
        for (String statement : List.of(
                "DELETE FROM acme.none",
                "DELETE FROM acme.none WHERE level = 'INFO'",
                "MERGE INTO acme.none t USING (VALUES 'INFO') v(x) ON t.level = v.x WHEN MATCHED THEN DELETE")) {
            assertThatThrownBy(() -> runner.rows(mallory, statement))
                    .as(statement)
                    .hasMessageContaining("Access Denied")
                    .hasMessageContaining("role deleter");
        }
        assertThat(runner.rows(archived, "SELECT count(*) FROM acme.none")).containsExactly(List.of(2L));
        runner.rows(archived, "DELETE FROM acme.none WHERE message = 'row 0'");
        assertThat(runner.rows(archived, "SELECT message FROM acme.none")).containsExactly(List.of("row 1"));
    }

    /** To ship rows is not to read them. */
    @Test
    void aWriterReadsNothing() {
        Session shipper = CordwoodQueryRunner.session("acme", "shipper");
        assertThatThrownBy(() -> runner.rows(shipper, "SELECT * FROM acme.logs"))
                .hasMessageContaining("no grant");
        assertThat(runner.rows(shipper, "SELECT * FROM all_tenants.logs")).isEmpty();
        assertThat(runner.rows(shipper, "SHOW SCHEMAS").toString()).doesNotContain("acme");
    }

    @Test
    void attack32PlacesInTheSharedTopicAreHidden() {
        for (String column :
                List.of("$path", "$kafka_topic_id", "$kafka_partition", "$kafka_offset", "$kafka_ordinal")) {
            String quoted = "\"" + column + "\"";
            for (String statement : List.of(
                    "SELECT " + quoted + " FROM acme.logs",
                    "SELECT ts FROM acme.logs ORDER BY " + quoted,
                    "SELECT count(*) FROM acme.logs WHERE " + quoted + " IS NOT NULL",
                    "SELECT count(*) FROM acme.logs GROUP BY " + quoted,
                    "SELECT a.ts FROM acme.logs a JOIN acme.logs b ON a." + quoted + " = b." + quoted,
                    "SELECT max(" + quoted + ") FROM all_tenants.logs",
                    "EXPLAIN SELECT " + quoted + " FROM acme.logs",
                    "DELETE FROM acme.logs WHERE " + quoted + " IS NULL")) {
                // Whoever may delete must not count rows by their places either.
                Session user = statement.startsWith("DELETE") ? warden : mallory;
                assertThatThrownBy(() -> runner.rows(user, statement))
                        .as(statement)
                        .hasMessageContaining("Access Denied")
                        .hasMessageContaining(column);
            }
            assertThat(runner.rows(operator, "SELECT " + quoted + " FROM acme.logs"))
                    .hasSize(5);
        }
        assertThat(runner.rows(mallory, "SELECT \"$tier\", count(*) FROM acme.logs GROUP BY 1 ORDER BY 1"))
                .containsExactly(List.of("cold", 2L), List.of("hot", 3L));
    }

    @Test
    void attack32WhatIsReadOfTheSharedTopicIsNotCounted() {
        String sql = "SELECT count(message) FROM acme.logs WHERE level <> 'x'";
        assertThat(ScanMetrics.of(runner, operator, sql)).containsKeys("hot records read", "hot partitions considered");
        assertThat(ScanMetrics.of(runner, mallory, sql))
                .containsKeys("LogBlocks considered", "hot rows selected")
                .allSatisfy((name, count) -> assertThat(name.startsWith("hot ") || name.startsWith("tables"))
                        .as(name)
                        .isEqualTo(name.equals("hot rows selected")));
        assertThat(ScanMetrics.of(runner, mallory, "SELECT count(*) FROM all_tenants.logs WHERE level <> 'x'"))
                .doesNotContainKeys("tables", "tables pruned by tenant");
        String hot = "EXPLAIN ANALYZE SELECT message FROM acme.logs WHERE \"$tier\" = 'hot'";
        assertThat(runner.rows(mallory, hot).toString()).doesNotContain("Physical input: ");
        assertThat(runner.rows(with(operator, "use_cache", "false"), hot).toString())
                .contains("Physical input: ");
    }
}

package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.tenant.User;
import io.trino.Session;
import io.trino.metadata.QualifiedObjectName;
import io.trino.spi.security.ViewExpression;
import io.trino.testing.TestingAccessControlManager;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Who sees which tenant, before the first grant and after it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CordwoodAccessIT {
    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    private final Session alice = CordwoodQueryRunner.session("a", "alice");
    private final Session nobody = CordwoodQueryRunner.session("a", "nobody");
    private final Session operator = CordwoodQueryRunner.session("a", CordwoodQueryRunner.OPERATOR);

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of("cordwood.access-rules-cache-ttl", "1ms"));
        List<SampleRow> rows = List.of(SampleRow.of("2026-01-10T00:00:00Z", "level", "INFO"));
        runner.tables().write("a", "logs", 0, SampleLogs.COLUMNS, rows);
        runner.tables().write("b", "logs", 0, SampleLogs.COLUMNS, rows);
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    @Test
    @Order(1)
    void everyoneIsAnOperatorUntilTheFirstGrant() {
        assertThat(runner.rows(nobody, "SELECT count(*) FROM all_tenants.logs")).containsExactly(List.of(2L));
        assertThat(runner.rows(nobody, "SELECT count(*) FROM b.logs")).containsExactly(List.of(1L));
        runner.catalog().putUser(new User("alice", false, Set.of("a")));
    }

    @Test
    @Order(2)
    void aUserSeesTheTenantsGranted() {
        assertThat(runner.rows(alice, "SHOW SCHEMAS").stream().map(List::getFirst))
                .containsExactlyInAnyOrder("a", "all_tenants", "information_schema", "system");
        assertThat(runner.rows(alice, "SELECT count(*) FROM a.logs")).containsExactly(List.of(1L));
        assertThat(runner.rows(alice, "SELECT tenant_id FROM all_tenants.logs")).containsExactly(List.of("a"));
        assertThat(runner.rows(alice, "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'b'"))
                .containsExactly(List.of(0L));
        assertThatThrownBy(() -> runner.rows(alice, "SELECT * FROM b.logs"))
                .hasMessageContaining("Access Denied")
                .hasMessageContaining("no grant");
        assertThatThrownBy(() -> runner.rows(alice, "SHOW COLUMNS FROM b.logs")).hasMessageContaining("Access Denied");
    }

    @Test
    @Order(2)
    void columnsAreThoseOfTheTenantsGranted() {
        runner.catalog().ensureTable("b", "logs", List.of(ColumnDefinition.keyword("secret_of_b")));
        String columns = "SHOW COLUMNS FROM all_tenants.%s";
        for (String table : List.of("logs", "\"logs$first\"")) {
            assertThat(runner.rows(alice, columns.formatted(table)).toString())
                    .contains("level")
                    .doesNotContain("secret_of_b");
            assertThat(runner.rows(operator, columns.formatted(table)).toString())
                    .contains("level", "secret_of_b");
            assertThat(runner.rows(nobody, columns.formatted(table)).toString())
                    .contains("ts")
                    .doesNotContain("level");
        }
        assertThatThrownBy(() -> runner.rows(alice, "SELECT secret_of_b FROM all_tenants.logs"))
                .hasMessageContaining("cannot be resolved");
        String listed = "SELECT count(*) FROM information_schema.columns WHERE column_name = 'secret_of_b'";
        assertThat(runner.rows(alice, listed)).containsExactly(List.of(0L));
        assertThat(runner.rows(alice, "SELECT level FROM all_tenants.\"logs$first\""))
                .containsExactly(List.of("INFO"));
    }

    @Test
    @Order(2)
    void aUserWithoutAGrantSeesNothing() {
        assertThat(runner.rows(nobody, "SELECT count(*) FROM all_tenants.logs")).containsExactly(List.of(0L));
        assertThatThrownBy(() -> runner.rows(nobody, "SELECT * FROM a.logs")).hasMessageContaining("Access Denied");
    }

    /** What nobody can do is not denied, as if a grant could help; of other tenants' tables not even that is said. */
    @Test
    @Order(2)
    void whatIsNotOfferedIsSaidToThoseWhoSeeTheTenant() {
        for (String statement : List.of(
                "CREATE TABLE %s.t (x bigint)",
                "DROP TABLE %s.logs",
                "ALTER TABLE %s.logs RENAME TO %1$s.t",
                "ALTER TABLE %s.logs ADD COLUMN x bigint",
                "ALTER TABLE %s.logs DROP COLUMN level",
                "ALTER TABLE %s.logs RENAME COLUMN level TO x",
                "ALTER TABLE %s.logs ALTER COLUMN status SET DATA TYPE double",
                "COMMENT ON TABLE %s.logs IS 'x'",
                "COMMENT ON COLUMN %s.logs.level IS 'x'",
                "TRUNCATE TABLE %s.logs",
                "CREATE VIEW %s.v AS SELECT 1 AS x",
                "CREATE MATERIALIZED VIEW %s.v AS SELECT 1 AS x")) {
            assertThatThrownBy(() -> runner.rows(alice, statement.formatted("a")))
                    .as(statement)
                    .hasMessageContaining("This connector does not support");
            assertThatThrownBy(() -> runner.rows(alice, statement.formatted("b")))
                    .as(statement)
                    .hasMessageContaining("Access Denied");
        }
        // Whether the new name is taken is not said either.
        assertThatThrownBy(() -> runner.rows(alice, "ALTER SCHEMA a RENAME TO c"))
                .hasMessageContaining("no grant");
        assertThatThrownBy(() -> runner.rows(operator, "ALTER SCHEMA a RENAME TO c"))
                .hasMessageContaining("This connector does not support");
        assertThat(runner.rows(alice, "SHOW CREATE SCHEMA a")).hasSize(1);
        assertThatThrownBy(() -> runner.rows(alice, "SHOW CREATE SCHEMA b")).hasMessageContaining("Access Denied");
    }

    @Test
    @Order(2)
    void tableFunctionsReadTheTenantsGranted() {
        readsTheTenantsGranted("SELECT count(*) FROM TABLE(cordwood.system.tail(tenant => '%s'))");
        readsTheTenantsGranted(
                "SELECT sum(count) FROM TABLE(cordwood.system.patterns(tenant => '%s', column => 'level'))");
    }

    private void readsTheTenantsGranted(String query) {
        assertThat(runner.rows(alice, query.formatted("a"))).containsExactly(List.of(1L));
        assertThat(runner.rows(operator, query.formatted("b"))).containsExactly(List.of(1L));
        // Who has no grant does not learn which tenants there are
        for (String tenant : List.of("b", "nobody", "all_tenants", "system", "information_schema")) {
            assertThatThrownBy(() -> runner.rows(alice, query.formatted(tenant)))
                    .as(tenant)
                    .hasMessageContaining("Access Denied")
                    .hasMessageContaining("no grant");
        }
        assertThatThrownBy(() -> runner.rows(nobody, query.formatted("a"))).hasMessageContaining("Access Denied");
    }

    /** Trino's own access control may hide rows and values; a table function would show them. */
    @Test
    @Order(2)
    void theNewestRowsDoNotGetRoundFiltersAndMasks() {
        String tail = "SELECT level FROM TABLE(cordwood.system.tail(tenant => 'a'))";
        TestingAccessControlManager engine = runner.trino().getAccessControl();
        QualifiedObjectName table = new QualifiedObjectName("cordwood", "a", "logs");
        ViewExpression hidden = ViewExpression.builder().expression("false").build();
        engine.rowFilter(table, "alice", hidden);
        try {
            assertThat(runner.rows(alice, "SELECT level FROM a.logs")).isEmpty();
            assertThatThrownBy(() -> runner.rows(alice, tail)).hasMessageContaining("row filters and column masks");
            assertThat(runner.rows(operator, tail)).containsExactly(List.of("INFO"));
            engine.reset();
            engine.columnMask(
                    table,
                    "level",
                    "alice",
                    ViewExpression.builder().expression("'x'").build());
            assertThat(runner.rows(alice, "SELECT level FROM a.logs")).containsExactly(List.of("x"));
            assertThatThrownBy(() -> runner.rows(alice, tail)).hasMessageContaining("row filters and column masks");
        } finally {
            engine.reset();
        }
        assertThat(runner.rows(alice, tail)).containsExactly(List.of("INFO"));
    }

    @Test
    @Order(2)
    void estimatesCountRowsOfTheTenantsGrantedAlone() {
        assertThat(runner.rows(alice, "EXPLAIN SELECT ts FROM all_tenants.logs").toString())
                .contains("rows: 1 ")
                .doesNotContain("rows: 2 ");
        assertThat(runner.rows(operator, "EXPLAIN SELECT ts FROM all_tenants.logs")
                        .toString())
                .contains("rows: 2 ");
    }

    @Test
    @Order(3)
    void aUserDeletesRowsOfTheTenantsGrantedAlone() {
        assertThatThrownBy(() -> runner.rows(alice, "DELETE FROM b.logs WHERE level = 'INFO'"))
                .hasMessageContaining("Access Denied")
                .hasMessageContaining("no grant");
        assertThatThrownBy(() -> runner.rows(nobody, "DELETE FROM a.logs")).hasMessageContaining("Access Denied");
        assertThatThrownBy(() -> runner.rows(operator, "DELETE FROM all_tenants.logs"))
                .hasMessageContaining("delete from the table of one tenant");
        runner.rows(alice, "DELETE FROM a.logs WHERE level = 'INFO'");
        assertThat(runner.rows(alice, "SELECT count(*) FROM a.logs")).containsExactly(List.of(0L));
        assertThat(runner.rows(operator, "SELECT count(*) FROM b.logs")).containsExactly(List.of(1L));
        runner.rows(operator, "DELETE FROM b.logs WHERE level = 'INFO'");
        assertThat(runner.rows(operator, "SELECT count(*) FROM b.logs")).containsExactly(List.of(0L));

        String deletions = "SELECT tenant_id, \"user\" FROM cordwood.system.deletions ORDER BY 1";
        assertThat(runner.rows(alice, deletions)).containsExactly(List.of("a", "alice"));
        assertThat(runner.rows(nobody, deletions)).isEmpty();
        assertThat(runner.rows(operator, deletions))
                .containsExactly(List.of("a", "alice"), List.of("b", CordwoodQueryRunner.OPERATOR));
    }

    @Test
    @Order(2)
    void operatorsSeeAll() {
        assertThat(runner.rows(operator, "SELECT count(*) FROM b.logs")).containsExactly(List.of(1L));
        assertThat(runner.rows(operator, "SELECT count(*) FROM all_tenants.logs"))
                .containsExactly(List.of(2L));
    }
}

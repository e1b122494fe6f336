package io.cordwood.trino;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.services.LeftOut;
import io.cordwood.services.ListedTests;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.trino.Session;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.testing.BaseConnectorTest;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorBehavior;
import io.trino.testing.sql.TestTable;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Trino's own suite for connectors, on the tables of TPC-H shipped as logs: of each the first half of the rows lies in
 * LogBlocks, the second in Kafka. {@code SELECT *} stands for TPC-H's columns, without those that every table has.
 */
class CordwoodConnectorIT extends BaseConnectorTest {
    private static final String TENANT = "tpch";
    private static final String COLD = "cold";
    private static final Pattern ALL_COLUMNS = Pattern.compile("SELECT \\* FROM ((?:\\w+\\.)*(\\w+))");
    private static final String ROWS_COME_FROM_KAFKA =
            "Rows come from Kafka alone, and the refusal says so in words of its own";
    private static final String NO_DATES = "JSON has no dates: they are text";

    @RegisterExtension
    static final ListedTests LISTED = new ListedTests(Path.of("../docs/contribute/compatibility.md"));

    private CordwoodQueryRunner runner;
    private boolean shipsTables;

    @Override
    protected QueryRunner createQueryRunner() throws Exception {
        Path home = closeAfterClass(new TemporaryHome()).path();
        Service kafka = closeAfterClass(TestServices.kafka());
        String streams =
                REQUIRED_TPCH_TABLES.stream().map(TpchTable::getTableName).collect(Collectors.joining(","));
        runner = closeAfterClass(CordwoodQueryRunner.start(
                home,
                Map.of("cordwood.kafka-bootstrap-servers", kafka.address(), "cordwood.streams", streams),
                CordwoodQueryRunner.session(TENANT, "user"),
                2));
        runner.addCatalog(COLD, Map.of("cordwood.streams", streams + "," + ColdTable.WORDS));
        runner.trino().installPlugin(new TpchPlugin());
        runner.trino().createCatalog("tpch", "tpch", Map.of());
        for (TpchTable<?> table : REQUIRED_TPCH_TABLES) {
            ship(kafka, table);
        }
        return runner.trino();
    }

    private void ship(Service kafka, TpchTable<?> table) throws Exception {
        List<SampleRow> rows = TpchLogs.rows(table);
        try (SampleTopic topic = SampleTopic.create(kafka, table.getTableName(), 1)) {
            topic.send(TENANT, 0, rows);
            new SampleTables(runner.catalog(), CordwoodQueryRunner.SMALL_BLOCKS, topic.id())
                    .write(TENANT, table.getTableName(), 0, TpchLogs.columns(table), rows.subList(0, rows.size() / 2));
        }
    }

    @Override
    protected boolean hasBehavior(TestingConnectorBehavior behavior) {
        return switch (behavior) {
            case SUPPORTS_CREATE_TABLE -> shipsTables;
            case SUPPORTS_CREATE_SCHEMA,
                    SUPPORTS_CREATE_VIEW,
                    SUPPORTS_CREATE_MATERIALIZED_VIEW,
                    SUPPORTS_RENAME_TABLE,
                    SUPPORTS_ADD_COLUMN,
                    SUPPORTS_RENAME_COLUMN,
                    SUPPORTS_SET_COLUMN_TYPE,
                    SUPPORTS_COMMENT_ON_TABLE,
                    SUPPORTS_INSERT,
                    SUPPORTS_UPDATE,
                    SUPPORTS_MERGE,
                    SUPPORTS_TRUNCATE,
                    SUPPORTS_ARRAY,
                    SUPPORTS_ROW_TYPE,
                    SUPPORTS_NATIVE_QUERY,
                    SUPPORTS_LIMIT_PUSHDOWN,
                    SUPPORTS_TOPN_PUSHDOWN,
                    SUPPORTS_AGGREGATION_PUSHDOWN -> false;
            default -> super.hasBehavior(behavior);
        };
    }

    @Override
    protected TestTable newTrinoTable(String namePrefix, String tableDefinition, List<String> rowsToInsert) {
        return ColdTable.of(runner.tables(), COLD, namePrefix, tableDefinition, rowsToInsert)
                .orElseGet(() -> super.newTrinoTable(namePrefix, tableDefinition, rowsToInsert));
    }

    @Override
    protected void assertQuery(String sql) {
        super.assertQuery(withColumns(sql), sql);
    }

    @Override
    protected void assertQuery(String actual, String expected) {
        super.assertQuery(withColumns(actual), expected);
    }

    @Override
    protected void assertQuery(Session session, String sql) {
        super.assertQuery(session, withColumns(sql), sql);
    }

    private static String withColumns(String sql) {
        return ALL_COLUMNS
                .matcher(sql)
                .replaceAll(all -> REQUIRED_TPCH_TABLES.stream()
                        .filter(table -> table.getTableName().equals(all.group(2)))
                        .findFirst()
                        .map(table -> "SELECT %s FROM %s".formatted(columns(table), all.group(1)))
                        .orElse(all.group()));
    }

    private static String columns(TpchTable<?> table) {
        return table.getColumns().stream()
                .map(TpchColumn::getSimplifiedColumnName)
                .collect(Collectors.joining(", "));
    }

    /** Tests that need services are called so here. */
    @Test
    @Override
    public void ensureTestNamingConvention() {
        assertThat(getClass().getName()).endsWith("ConnectorIT");
    }

    @Test
    @Override
    public void testShowColumns() {
        assertThat(query("SHOW COLUMNS FROM orders")).result().matches(getDescribeOrdersResult());
    }

    @Override
    protected MaterializedResult getDescribeOrdersResult() {
        return MaterializedResult.resultBuilder(getSession(), VARCHAR, VARCHAR, VARCHAR, VARCHAR)
                .row("tenant_id", "varchar", "", "")
                .row("ts", "timestamp(6) with time zone", "", "")
                .row("attributes", "map(varchar, varchar)", "", "")
                .row("orderkey", "bigint", "", "")
                .row("custkey", "bigint", "", "")
                .row("orderstatus", "varchar", "", "")
                .row("totalprice", "double", "", "")
                .row("orderdate", "varchar", "", "")
                .row("orderpriority", "varchar", "", "")
                .row("clerk", "varchar", "", "")
                .row("shippriority", "bigint", "", "")
                .row("comment", "varchar", "", "")
                .build();
    }

    @Override
    protected String getOrdersTableWithColumns() {
        return getDescribeOrdersResult().getMaterializedRows().stream()
                .map(column -> "('orders', '%s')".formatted(column.getField(0)))
                .collect(Collectors.joining(", ", "VALUES ", ""));
    }

    @Test
    @Override
    public void testShowCreateTable() {
        assertThat(computeScalar("SHOW CREATE TABLE orders")).isEqualTo("""
                        CREATE TABLE cordwood.tpch.orders (
                           tenant_id varchar NOT NULL,
                           ts timestamp(6) with time zone NOT NULL,
                           attributes map(varchar, varchar),
                           orderkey bigint,
                           custkey bigint,
                           orderstatus varchar,
                           totalprice double,
                           orderdate varchar,
                           orderpriority varchar,
                           clerk varchar,
                           shippriority bigint,
                           comment varchar
                        )""");
    }

    /** What is pushed down stands in the table scan, in words of our own. */
    @Test
    @Override
    public void testPredicateReflectedInExplain() {
        assertExplain("EXPLAIN SELECT name FROM nation WHERE nationkey = 42", "domain=\\{nationkey:bigint=.*42");
    }

    @Override
    protected void verifyVersionedQueryFailurePermissible(Exception e) {
        assertThat(e).hasMessageContaining("Cordwood tables have no versions to choose");
    }

    @Test
    @Override
    public void testRowLevelDelete() {
        withShippedTables(super::testRowLevelDelete);
    }

    @Test
    @Override
    public void testDeleteAllDataFromTable() {
        withShippedTables(super::testDeleteAllDataFromTable);
    }

    @Test
    @Override
    public void testVarcharCastToDateInPredicate() {
        withShippedTables(super::testVarcharCastToDateInPredicate);
    }

    @Test
    @Override
    public void testVarcharEqualityPushdownIgnoresTrailingSpaces() {
        withShippedTables(super::testVarcharEqualityPushdownIgnoresTrailingSpaces);
    }

    /** The test makes its tables in ways that can be shipped, too. */
    private void withShippedTables(Runnable test) {
        shipsTables = true;
        try {
            test.run();
        } finally {
            shipsTables = false;
        }
    }

    @Test
    @Override
    @LeftOut(because = NO_DATES, refusal = "Cannot apply operator: varchar = date")
    public void testDateYearOfEraPredicate() {
        super.testDateYearOfEraPredicate();
    }

    @Test
    @Override
    @LeftOut(because = ROWS_COME_FROM_KAFKA, refusal = "rows come from Kafka")
    public void testInsert() {
        super.testInsert();
    }

    @Test
    @Override
    @LeftOut(because = ROWS_COME_FROM_KAFKA, refusal = "rows come from Kafka")
    public void testInsertNegativeDate() {
        super.testInsertNegativeDate();
    }

    @Test
    @Override
    @LeftOut(
            because = "Its last part makes a table by SQL; the deletions before it pass",
            refusal = "This connector does not support creating tables with data")
    public void testDelete() {
        super.testDelete();
    }

    /** A directory that goes when the suite has ended. */
    private record TemporaryHome(Path path) implements AutoCloseable {
        TemporaryHome() throws IOException {
            this(Files.createTempDirectory("connector-suite"));
        }

        @Override
        public void close() {
            new LocalFileIO().deletePrefix(path.toString());
        }
    }
}

package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.tenant.User;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs that come by JDBC ask for: names and types of what a user may see, prepared statements, values. */
class JdbcIT {
    private static final String ALICE = "alice";

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(
                home, Map.of("cordwood.access-rules-cache-ttl", "1ms", "cordwood.streams", "logs"));
        runner.tables()
                .write(
                        "acme",
                        "logs",
                        0,
                        SampleLogs.COLUMNS,
                        List.of(
                                SampleRow.of(
                                        "2026-01-10T10:00:00.123456Z",
                                        "level",
                                        "ERROR",
                                        "host.name",
                                        "web-1",
                                        "message",
                                        "disk is full, 'really' \"full\": 100 %",
                                        "status",
                                        500L,
                                        "latency",
                                        1.5,
                                        "fail",
                                        true,
                                        "size",
                                        Long.MAX_VALUE,
                                        "attributes",
                                        Map.of("trace", "t1")),
                                SampleRow.of("2026-01-10T11:00:00Z", "level", "INFO", "message", "disk is fine")));
        runner.tables()
                .write(
                        "globex",
                        "logs",
                        0,
                        SampleLogs.COLUMNS,
                        List.of(SampleRow.of("2026-01-10T00:00:00Z", "level", "INFO")));
        runner.catalog().putUser(new User(ALICE, false, Set.of("acme")));
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    private static Connection connect(String user) throws SQLException {
        return connect(user, Map.of());
    }

    private static Connection connect(String user, Map<String, String> settings) throws SQLException {
        URI server = runner.trino().getCoordinator().getBaseUrl();
        Properties properties = new Properties();
        properties.setProperty("user", user);
        settings.forEach(properties::setProperty);
        return DriverManager.getConnection(
                "jdbc:trino://%s:%d/cordwood".formatted(server.getHost(), server.getPort()), properties);
    }

    private static List<String> column(ResultSet rows, String name) throws SQLException {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
            values.add(rows.getString(name));
        }
        return values;
    }

    @Test
    void schemasAreTheTenantsGranted() throws SQLException {
        try (Connection alice = connect(ALICE);
                Connection operator = connect(CordwoodQueryRunner.OPERATOR)) {
            assertThat(column(alice.getMetaData().getSchemas("cordwood", null), "TABLE_SCHEM"))
                    .containsExactlyInAnyOrder("acme", "all_tenants", "information_schema", "system");
            assertThat(column(operator.getMetaData().getSchemas("cordwood", null), "TABLE_SCHEM"))
                    .contains("acme", "globex", "all_tenants");
            assertThat(column(alice.getMetaData().getCatalogs(), "TABLE_CAT")).contains("cordwood");
        }
    }

    @Test
    void tablesAreThoseOfTheTenantsGranted() throws SQLException {
        try (Connection alice = connect(ALICE);
                Connection operator = connect(CordwoodQueryRunner.OPERATOR)) {
            DatabaseMetaData metaData = alice.getMetaData();
            String[] tablesAlone = {"TABLE"};
            assertThat(column(metaData.getTables("cordwood", "acme", "%", tablesAlone), "TABLE_NAME"))
                    .containsExactly("logs");
            assertThat(column(metaData.getTables("cordwood", null, "logs", null), "TABLE_SCHEM"))
                    .containsExactlyInAnyOrder("acme", "all_tenants");
            assertThat(column(metaData.getTables("cordwood", "globex", "%", null), "TABLE_NAME"))
                    .isEmpty();
            assertThat(column(operator.getMetaData().getTables("cordwood", "globex", "%", tablesAlone), "TABLE_NAME"))
                    .containsExactly("logs");
            assertThat(column(metaData.getPrimaryKeys("cordwood", "acme", "logs"), "COLUMN_NAME"))
                    .isEmpty();
        }
    }

    @Test
    void columnsHaveTheirTypesAndHiddenOnesAreNotListed() throws SQLException {
        try (Connection alice = connect(ALICE)) {
            DatabaseMetaData metaData = alice.getMetaData();
            List<List<Object>> found = new ArrayList<>();
            try (ResultSet rows = metaData.getColumns("cordwood", "acme", "logs", "%")) {
                while (rows.next()) {
                    found.add(List.of(
                            rows.getString("COLUMN_NAME"), rows.getString("TYPE_NAME"), rows.getInt("DATA_TYPE")));
                }
            }
            assertThat(found)
                    .containsExactly(
                            List.of("tenant_id", "varchar", Types.VARCHAR),
                            List.of("ts", "timestamp(6) with time zone", Types.TIMESTAMP_WITH_TIMEZONE),
                            List.of("attributes", "map(varchar, varchar)", Types.JAVA_OBJECT),
                            List.of("level", "varchar", Types.VARCHAR),
                            List.of("host.name", "varchar", Types.VARCHAR),
                            List.of("message", "varchar", Types.VARCHAR),
                            List.of("status", "bigint", Types.BIGINT),
                            List.of("latency", "double", Types.DOUBLE),
                            List.of("fail", "boolean", Types.BOOLEAN),
                            List.of("size", "double", Types.DOUBLE));
            assertThat(column(metaData.getColumns("cordwood", "acme", "logs", "host%"), "COLUMN_NAME"))
                    .containsExactly("host.name");
            assertThat(column(metaData.getColumns("cordwood", "globex", "logs", "%"), "COLUMN_NAME"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void preparedStatementsTakeParametersOfEveryType(String explicitPrepare) throws SQLException {
        String sql =
                "SELECT message FROM acme.logs WHERE match(message, ?) AND level = ? AND status >= ? AND latency < ?"
                        + " AND fail = ? AND ts BETWEEN ? AND ? AND \"host.name\" IN (?, ?) AND message LIKE ?";
        try (Connection alice = connect(ALICE, Map.of("explicitPrepare", explicitPrepare));
                PreparedStatement statement = alice.prepareStatement(sql)) {
            statement.setString(1, "disk \"full 100\"");
            statement.setString(2, "ERROR");
            statement.setLong(3, 500);
            statement.setDouble(4, 1.6);
            statement.setBoolean(5, true);
            statement.setObject(6, Instant.parse("2026-01-10T10:00:00.123456Z"));
            statement.setObject(7, Instant.parse("2026-01-10T10:00:01Z"));
            statement.setString(8, "web-1");
            statement.setString(9, "it's");
            statement.setString(10, "%'really'%");
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(column(rows, "message")).containsExactly("disk is full, 'really' \"full\": 100 %");
            }
            statement.setString(1, "fine");
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void preparedStatementSaysItsColumnsBeforeItRuns() throws SQLException {
        try (Connection alice = connect(ALICE);
                PreparedStatement statement =
                        alice.prepareStatement("SELECT ts, status, attributes FROM acme.logs WHERE level = ?")) {
            ResultSetMetaData metaData = statement.getMetaData();
            assertThat(metaData.getColumnCount()).isEqualTo(3);
            assertThat(metaData.getColumnLabel(1)).isEqualTo("ts");
            assertThat(metaData.getColumnType(2)).isEqualTo(Types.BIGINT);
            assertThat(statement.getParameterMetaData().getParameterCount()).isEqualTo(1);
        }
    }

    @Test
    void valuesComeAsTheTypesOfJava() throws SQLException {
        try (Connection alice = connect(ALICE);
                ResultSet rows = alice.createStatement()
                        .executeQuery("SELECT *, \"$tier\" AS tier FROM acme.logs ORDER BY ts")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getTimestamp("ts").toInstant()).isEqualTo(Instant.parse("2026-01-10T10:00:00.123456Z"));
            assertThat(rows.getObject("ts", ZonedDateTime.class).toInstant())
                    .isEqualTo(Instant.parse("2026-01-10T10:00:00.123456Z"));
            assertThat(rows.getObject("status")).isEqualTo(500L);
            assertThat(rows.getObject("latency")).isEqualTo(1.5);
            assertThat(rows.getObject("fail")).isEqualTo(true);
            assertThat(rows.getObject("size")).isEqualTo((double) Long.MAX_VALUE);
            assertThat(rows.getObject("attributes")).isEqualTo(Map.of("trace", "t1"));
            assertThat(rows.getString("tier")).isEqualTo("cold");

            assertThat(rows.next()).isTrue();
            assertThat(rows.getLong("status")).isZero();
            assertThat(rows.wasNull()).isTrue();
            assertThat(rows.getObject("fail")).isNull();
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void errorsCarryTheMessageAndTheState() throws SQLException {
        try (Connection alice = connect(ALICE);
                PreparedStatement statement =
                        alice.prepareStatement("SELECT count(*) AS n FROM acme.logs WHERE match(message, ?)")) {
            statement.setString(1, "\"open");
            assertThatThrownBy(() -> column(statement.executeQuery(), "n"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("match");
            assertThatThrownBy(() -> alice.createStatement().executeQuery("SELECT * FROM globex.logs"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("Access Denied");
        }
    }
}

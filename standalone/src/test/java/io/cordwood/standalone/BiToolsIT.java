package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.services.Browser;
import io.cordwood.services.TestServices;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that draw charts, keep models and browse tables, at a closed stack, with nothing but a token of a reader of
 * {@code acme}: they show what was shipped. What Superset and dbt do is in src/test/python/bi; of DBeaver and Metabase,
 * the questions that they ask by JDBC.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 40, unit = TimeUnit.MINUTES)
final class BiToolsIT {
    private static final int ROWS = 6_000;
    private static final int MINUTES = 20;
    private static final long MINUTE = 60_000_000;
    private static final List<String> LEVELS =
            List.of("ERROR", "ERROR", "ERROR", "WARN", "INFO", "INFO", "INFO", "INFO", "INFO", "INFO", "INFO");
    private static final List<String> MESSAGES = List.of(
            "request %d done in 12 ms",
            "error: connection %d reset by peer",
            "terror and errors of %d",
            "ERROR %d",
            "nothing, said 'row %d' 100 %%");

    private final ObjectMapper json = new ObjectMapper();
    private final ObjectNode job = json.createObjectNode();
    private Path directory;
    private Home home;
    private Program cordwood;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        home = new Home(directory.resolve("home"));
        cordwood = new Program(home.directory());
        ok("up", "--auth", "--detach");
        ok("tenant", "set", "acme");
        Path rows = Files.write(directory.resolve("rows.ndjson"), rows());
        assertThat(ok("produce", "--tenant", "acme", rows.toString()))
                .contains("%,d records acknowledged".formatted(ROWS));
        ok("user", "add", "ann");
        ok("user", "grant", "ann", "--tenant", "acme", "--role", "reader");
        ok("user", "add", "bob");
        Endpoints endpoints = Endpoints.read(home);
        job.put("trino", endpoints.trino()).put("authorities", endpoints.ca()).put("rows", rows.toString());
        job.putObject("reader").put("name", "ann").put("token", token("ann"));
        job.putObject("stranger").put("name", "bob").put("token", token("bob"));
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    private String ok(String... command) throws IOException, InterruptedException {
        return cordwood.ok(command);
    }

    private String token(String user) throws IOException, InterruptedException {
        return ok("token", "create", "--user", user).strip();
    }

    /** Twenty minutes of rows, a few of them with many errors. Each minute has a row in its last moment. */
    private List<String> rows() {
        Instant start = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(30));
        Random random = new Random(17);
        SortedSet<Long> micros = new TreeSet<>();
        for (long minute = 1; minute <= MINUTES; minute++) {
            micros.add(minute * MINUTE - 1 - minute);
        }
        while (micros.size() < ROWS) {
            micros.add(random.nextLong(MINUTES * MINUTE));
        }
        List<String> rows = new ArrayList<>();
        for (long at : micros) {
            int n = rows.size();
            boolean incident = at / MINUTE >= 12 && at / MINUTE < 15;
            String level = LEVELS.get(random.nextInt(incident ? 0 : 2, LEVELS.size()));
            rows.add(json.createObjectNode()
                    .put("ts", start.plus(at, ChronoUnit.MICROS).toString())
                    .put("level", level)
                    .put(
                            "message",
                            MESSAGES.get(random.nextInt(MESSAGES.size())).formatted(n))
                    .put("n", n)
                    .toString());
        }
        return rows;
    }

    /** Where {@code cordwood.bi.pictures} names a directory, pictures of the pages go there. */
    @Test
    void supersetShowsWhatWasShipped() throws Exception {
        try (Browser browser = TestServices.browserOrSkip()) {
            job.putObject("browser")
                    .put("url", browser.url())
                    .set("options", json.valueToTree(browser.capabilities().get("goog:chromeOptions")));
            run(
                    "superset",
                    System.getProperty(
                            "cordwood.bi.pictures",
                            directory.resolve("pictures").toString()));
        }
    }

    @Test
    void dbtReadsWhatWasShipped() throws Exception {
        run("dbt");
    }

    private void run(String tool, String... arguments) throws Exception {
        Path file = Files.writeString(home.secrets().resolve(tool + ".json"), job.toString());
        List<String> command = new ArrayList<>(
                List.of(Program.root().resolve("standalone/src/test/python/run").toString(), tool, file.toString()));
        command.addAll(List.of(arguments));
        Script.run(command, Map.of("CORDWOOD_PYTHON_PACKAGE", "bi")).assertCode(0);
    }

    private Connection connect(String user) throws SQLException {
        JsonUser login = JsonUser.of(job, user);
        Properties properties = new Properties();
        properties.setProperty("user", login.name());
        properties.setProperty("password", login.token());
        properties.setProperty("SSL", "true");
        properties.setProperty("SSLTrustStorePath", job.get("authorities").textValue());
        URI trino = URI.create(job.get("trino").textValue());
        return DriverManager.getConnection(
                "jdbc:trino://%s:%d/cordwood".formatted(trino.getHost(), trino.getPort()), properties);
    }

    private record JsonUser(String name, String token) {
        static JsonUser of(ObjectNode job, String user) {
            return new JsonUser(
                    job.get(user).get("name").textValue(),
                    job.get(user).get("token").textValue());
        }
    }

    private static List<String> column(ResultSet rows) throws SQLException {
        try (rows) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    private static List<String> column(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return column(statement.executeQuery(sql));
        }
    }

    /** Beside the schemas, tables and columns of {@code JdbcIT}. What the driver lacks, DBeaver leaves out. */
    @Test
    void dbeaverBrowsesTheTable() throws SQLException {
        try (Connection connection = connect("reader")) {
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(metaData.getDatabaseProductName()).isEqualTo("Trino");
            assertThat(metaData.getIdentifierQuoteString()).isEqualTo("\"");
            assertThat(column(metaData.getTableTypes())).containsExactly("TABLE", "VIEW");
            assertThat(column(metaData.getTypeInfo())).contains("varchar", "bigint", "double", "boolean");
            assertThat(column(metaData.getImportedKeys("cordwood", "acme", "logs")))
                    .isEmpty();
            assertThat(column(metaData.getProcedures("cordwood", "acme", "%"))).isEmpty();
            assertThatThrownBy(() -> metaData.getIndexInfo("cordwood", "acme", "logs", false, true))
                    .isInstanceOf(SQLFeatureNotSupportedException.class);
            try (Statement statement = connection.createStatement()) {
                statement.setMaxRows(200);
                statement.setFetchSize(200);
                assertThat(column(statement.executeQuery("SELECT n FROM cordwood.acme.logs")))
                        .hasSize(200);
            }
            assertThat(connection.isValid(10)).isTrue();
            assertThatThrownBy(() -> column(connection, "SHOW CREATE TABLE cordwood.acme.logs"))
                    .hasMessageContaining("Access Denied: Cannot show create table");
        }
    }

    /** It looks for tables with SHOW, and whether it may read them with a question that has no rows. */
    @Test
    void metabaseFindsTheTableAndGroupsByMinute() throws SQLException {
        try (Connection connection = connect("reader")) {
            connection.setReadOnly(true);
            assertThat(column(connection, "SHOW CATALOGS")).contains("cordwood");
            assertThat(column(connection, "SHOW SCHEMAS FROM \"cordwood\""))
                    .containsExactly("acme", "all_tenants", "information_schema", "system");
            assertThat(column(connection, "SHOW TABLES FROM \"cordwood\".\"acme\""))
                    .containsExactly("logs");
            assertThat(column(connection, "DESCRIBE \"cordwood\".\"acme\".\"logs\""))
                    .containsExactly("tenant_id", "ts", "attributes", "level", "message", "n");
            assertThat(column(connection, "SELECT TRUE AS \"_\" FROM \"acme\".\"logs\" WHERE 1 <> 1 LIMIT 0"))
                    .isEmpty();
            String perMinute = "SELECT count(*) FROM \"cordwood\".\"acme\".\"logs\""
                    + " GROUP BY date_trunc('minute', \"cordwood\".\"acme\".\"logs\".\"ts\")";
            assertThat(column(connection, perMinute).stream().collect(Collectors.summingInt(Integer::parseInt)))
                    .isEqualTo(ROWS);
        }
        try (Connection connection = connect("stranger")) {
            assertThat(column(connection, "SHOW SCHEMAS FROM \"cordwood\"")).doesNotContain("acme");
            assertThatThrownBy(() -> column(connection, "SELECT n FROM \"cordwood\".\"acme\".\"logs\""))
                    .hasMessageContaining("Access Denied: Cannot access schema acme: user 'bob' has no grant");
        }
    }
}

package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows are deleted in a real stack, also those that the ingest job would have kept for long, and by other engines too.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DeleteIT {
    private static final int ROWS = 20_000;

    private final ObjectMapper json = new ObjectMapper();
    private Home home;
    private Program cordwood;
    private Path files;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        files = directory;
        home = new Home(directory.resolve("home"));
        cordwood = new Program(home.directory());
        // Each tenant is flushed once in this time: hardly ever during the test.
        assertThat(cordwood.run("up", "--detach", "--iceberg", "--max-age", "86400", "--partitions", "3"))
                .extracting(Outcome::err)
                .isEqualTo("");
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    @Test
    void deletedRowsAreGoneInEveryEngine() throws Exception {
        produce("acme", 0);
        produce("neighbour", 0);
        assertThat(answer("SELECT count(*) AS n, count_if(\"$tier\" = 'hot') AS hot FROM cordwood.acme.logs"))
                .isEqualTo("{\"n\":20000,\"hot\":20000}");

        assertThat(cordwood.run(
                        "sql",
                        "DELETE FROM cordwood.acme.logs WHERE match(message, 'row') AND mod(n, 4) = 1 AND n < 10000"))
                .extracting(Outcome::code, Outcome::err)
                .containsExactly(0, "");
        String left = "{\"n\":17500,\"s\":%d}".formatted(sum(n -> !(n % 4 == 1 && n < 10_000)));
        String count = "SELECT count(*) AS n, sum(n) AS s FROM ";
        assertThat(answer(count + "cordwood.acme.logs")).isEqualTo(left);
        assertThat(answer(count + "iceberg.acme.logs")).isEqualTo(left);
        assertThat(answer("SELECT count(*) AS n, count_if(\"$tier\" = 'hot') AS hot FROM cordwood.neighbour.logs"))
                .as("nobody else's rows were flushed")
                .isEqualTo("{\"n\":20000,\"hot\":20000}");
        assertThat(answer("SELECT tenant_id, rows, status FROM cordwood.system.deletions"))
                .isEqualTo("{\"tenant_id\":\"acme\",\"rows\":2500,\"status\":\"invisible\"}");

        // What Trino's own connector deletes, beside rows that are still hot; compaction may be there before it
        Outcome others;
        do {
            others = cordwood.run("sql", "DELETE FROM iceberg.acme.logs WHERE mod(n, 4) = 2 AND n < 10000");
        } while (others.err().contains("missing data files"));
        assertThat(others).extracting(Outcome::code, Outcome::err).containsExactly(0, "");
        produce("acme", ROWS);
        long more = sum(n -> true) + (long) ROWS * ROWS;
        assertThat(answer(count + "cordwood.acme.logs"))
                .isEqualTo("{\"n\":35000,\"s\":%d}"
                        .formatted(sum(n -> n >= 10_000 || n % 4 == 0 || n % 4 == 3) + more));
        assertThat(answer("SELECT count(*) AS n FROM cordwood.acme.logs WHERE match(message, '\"row 42\"')"))
                .isEqualTo("{\"n\":0}");
    }

    private static long sum(java.util.function.IntPredicate kept) {
        return IntStream.range(0, ROWS).filter(kept).asLongStream().sum();
    }

    private String answer(String sql) throws Exception {
        Outcome outcome = cordwood.call("sql", "--json", sql);
        assertThat(outcome.err()).as(sql).isEmpty();
        return json.readTree(outcome.out()).toString();
    }

    private void produce(String tenant, int first) throws Exception {
        Outcome outcome =
                cordwood.run("produce", "--tenant", tenant, numbered(first).toString());
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("20,000 records acknowledged");
    }

    private Path numbered(int first) throws IOException {
        return Files.writeString(
                files.resolve("rows-%d.ndjson".formatted(first)),
                IntStream.range(first, first + ROWS)
                        .mapToObj("{\"n\":%1$d,\"message\":\"row %1$d\"}"::formatted)
                        .collect(Collectors.joining("\n")),
                StandardCharsets.UTF_8);
    }
}

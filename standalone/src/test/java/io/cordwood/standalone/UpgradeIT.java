package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.standalone.flink.IngestStatus;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A closed lake of the last release is taken over by this version, given back after a power failure, and taken over
 * again: with its rows in Kafka and in tables, its deletions, tokens, settings and checkpoints.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 40, unit = TimeUnit.MINUTES)
final class UpgradeIT {
    private static final String[] UP = {"up", "--auth", "--detach", "--max-age", "5", "--partitions", "3"};

    private Home home;
    private Version released;
    private Version present;
    /** Of a user who may read one tenant. */
    private Path token;

    /** One of the two programs on the lake. */
    private record Version(Program program, NumberedRows rows) {
        Version(Program program, Path directory) {
            this(program, new NumberedRows(program::run, directory));
        }

        String ok(String... command) throws IOException, InterruptedException {
            return program.ok(command);
        }
    }

    @BeforeAll
    void build(@TempDir Path directory) throws Exception {
        Path built = Program.root().resolve("standalone/target/last-release");
        // Not as tests, for which nothing is built
        Script.run(
                        List.of(
                                Program.root()
                                        .resolve("bin/internal/last-release")
                                        .toString(),
                                built.toString()),
                        Map.of("CORDWOOD_BUILD", ""))
                .assertCode(0);
        home = new Home(directory.resolve("home"));
        present = new Version(new Program(home.directory()), directory);
        try (Stream<Path> found = Files.list(built)) {
            Path release = found.filter(path -> path.getFileName().toString().startsWith("cordwood-"))
                    .findFirst()
                    .orElseThrow();
            released = new Version(Program.ofRelease(release, home.directory()), directory);
        }
    }

    @AfterAll
    void down() throws Exception {
        present.program().run("down");
    }

    @Test
    @Order(1)
    void thePresentVersionTakesOver() throws Exception {
        released.ok(UP);
        released.ok("tenant", "set", "acme");
        released.ok("tenant", "set", "globex", "--retention", "30");
        released.ok("user", "add", "ann");
        released.ok("user", "grant", "ann", "--tenant", "acme", "--role", "reader");
        token = Files.writeString(
                home.directory().resolve("ann.token"), released.ok("token", "create", "--user", "ann"));
        released.rows().produce("acme", 0, 20_000);
        released.rows().produce("globex", 0, 5_000);
        released.rows().awaitArchived();
        released.ok("sql", "DELETE FROM cordwood.acme.logs WHERE n < 1000");
        released.rows().produce("acme", 20_000, 30_000);
        released.rows().awaitArchived();
        released.ok("compact");
        assertThat(released.rows().of("acme")).isEqualTo(NumberedRows.range(1_000, 30_000));
        produceHot(released, 5_000);
        released.ok("down");

        takeOver(present, 1_000, 30_000, 6_000);
    }

    @Test
    @Order(2)
    void theLastReleaseTakesBackAfterAPowerFailure() throws Exception {
        produceHot(present, 6_000);
        KilledStack.kill(home);
        takeOver(released, 2_000, 40_000, 7_000);
    }

    @Test
    @Order(3)
    void thePresentVersionTakesOverAgain() throws Exception {
        produceHot(released, 7_000);
        KilledStack.kill(home);
        takeOver(present, 3_000, 50_000, 8_000);
        assertThat(present.ok("verify")).contains("all are there");
    }

    /**
     * Starts a version, which must show rows {@code first} to {@code end} of acme and those below {@code endOfGlobex}
     * of globex. Then it ships 10,000 rows of acme, deletes 1,000, and merges.
     */
    private void takeOver(Version version, long first, long end, long endOfGlobex) throws Exception {
        NumberedRows rows = version.rows();
        start(version);
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(first, end));
        assertThat(rows.of("globex")).isEqualTo(NumberedRows.range(0, endOfGlobex));
        rows.produce("acme", end, end + 10_000);
        rows.awaitArchived();
        version.ok("sql", "DELETE FROM cordwood.acme.logs WHERE n < " + (first + 1_000));
        version.ok("compact");
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(first + 1_000, end + 10_000));
        assertThat(rows.of("globex")).isEqualTo(NumberedRows.range(0, endOfGlobex));
    }

    /** Ships a thousand rows, some of which are still in Kafka alone. */
    private static void produceHot(Version version, long from) throws Exception {
        version.rows().produce("globex", from, from + 1_000);
        assertThat(version.ok(
                        "sql", "--json", "SELECT count(*) AS n FROM cordwood.globex.logs WHERE \"$tier\" = 'hot'"))
                .doesNotContain("{\"n\":0}");
    }

    /** Starts a version, whose job must go on from the checkpoint of the other. */
    private void start(Version version) throws Exception {
        long begin = System.nanoTime();
        version.ok(UP);
        System.out.printf("up: %.1f s%n", (System.nanoTime() - begin) / 1e9);
        Endpoints endpoints = Endpoints.read(home);
        assertThat(IngestStatus.of(endpoints.flink(), Optional.of(new Secrets(home.secrets())))
                        .checkpoint())
                .as("the checkpoint that the job goes on from")
                .isPresent();
        assertThat(version.ok("tenant", "show", "globex")).contains("retention  30 days");
        assertThat(version.ok("sql", "--token-file", token.toString(), "SELECT 'in' FROM cordwood.acme.logs LIMIT 1"))
                .contains("in");
        assertThat(version.program()
                        .run("sql", "--token-file", token.toString(), "SELECT 1 FROM cordwood.globex.logs")
                        .err())
                .contains("Access Denied");
    }
}

package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.standalone.Program.Outcome;
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
    private Program released;
    private Program present;
    private NumberedRows ofReleased;
    private NumberedRows ofPresent;
    /** Of a user who may read one tenant. */
    private Path token;

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
        present = new Program(home.directory());
        try (Stream<Path> found = Files.list(built)) {
            Path release = found.filter(path -> path.getFileName().toString().startsWith("cordwood-"))
                    .findFirst()
                    .orElseThrow();
            released = Program.ofRelease(release, home.directory());
        }
        ofReleased = new NumberedRows(released::run, directory);
        ofPresent = new NumberedRows(present::run, directory);
    }

    @AfterAll
    void down() throws Exception {
        present.run("down");
    }

    @Test
    @Order(1)
    void thePresentVersionTakesOver() throws Exception {
        ok(released, UP);
        ok(released, "tenant", "set", "acme");
        ok(released, "tenant", "set", "globex", "--retention", "30");
        ok(released, "user", "add", "ann");
        ok(released, "user", "grant", "ann", "--tenant", "acme", "--role", "reader");
        token = Files.writeString(
                home.directory().resolve("ann.token"), ok(released, "token", "create", "--user", "ann"));
        ofReleased.produce("acme", 0, 20_000);
        ofReleased.produce("globex", 0, 5_000);
        ofReleased.awaitArchived();
        ok(released, "sql", "DELETE FROM cordwood.acme.logs WHERE n < 1000");
        ofReleased.produce("acme", 20_000, 30_000);
        ofReleased.awaitArchived();
        ok(released, "compact");
        assertThat(ofReleased.of("acme")).isEqualTo(NumberedRows.range(1_000, 30_000));
        produceHot(ofReleased, 5_000);
        ok(released, "down");

        start(present);
        assertThat(ofPresent.of("acme")).isEqualTo(NumberedRows.range(1_000, 30_000));
        assertThat(ofPresent.of("globex")).isEqualTo(NumberedRows.range(0, 6_000));
        use(present, ofPresent, 2_000, 40_000);
        assertThat(ofPresent.of("globex")).isEqualTo(NumberedRows.range(0, 6_000));
    }

    @Test
    @Order(2)
    void theLastReleaseTakesBackAfterAPowerFailure() throws Exception {
        produceHot(ofPresent, 6_000);
        KilledStack.kill(home);
        start(released);
        assertThat(ofReleased.of("acme")).isEqualTo(NumberedRows.range(2_000, 40_000));
        assertThat(ofReleased.of("globex")).isEqualTo(NumberedRows.range(0, 7_000));
        use(released, ofReleased, 3_000, 50_000);
    }

    @Test
    @Order(3)
    void thePresentVersionTakesOverAgain() throws Exception {
        produceHot(ofReleased, 7_000);
        KilledStack.kill(home);
        start(present);
        assertThat(ofPresent.of("acme")).isEqualTo(NumberedRows.range(3_000, 50_000));
        assertThat(ofPresent.of("globex")).isEqualTo(NumberedRows.range(0, 8_000));
        use(present, ofPresent, 4_000, 60_000);
        assertThat(ok(present, "verify")).contains("all are there");
    }

    /** Ships a thousand rows, some of which are still in Kafka alone. */
    private void produceHot(NumberedRows rows, long from) throws Exception {
        rows.produce("globex", from, from + 1_000);
        assertThat(rows.ok("sql", "--json", "SELECT count(*) AS n FROM cordwood.globex.logs WHERE \"$tier\" = 'hot'"))
                .doesNotContain("{\"n\":0}");
    }

    /** Starts a version, whose job must go on from the checkpoint of the other. */
    private void start(Program version) throws Exception {
        long begin = System.nanoTime();
        ok(version, UP);
        System.out.printf("up: %.1f s%n", (System.nanoTime() - begin) / 1e9);
        Endpoints endpoints = Endpoints.read(home);
        assertThat(IngestStatus.of(endpoints.flink(), Optional.of(new Secrets(home.secrets())))
                        .checkpoint())
                .as("the checkpoint that the job goes on from")
                .isPresent();
        assertThat(ok(version, "tenant", "show", "globex")).contains("retention  30 days");
        assertThat(ok(version, "sql", "--token-file", token.toString(), "SELECT 'in' FROM cordwood.acme.logs LIMIT 1"))
                .contains("in");
        assertThat(version.run("sql", "--token-file", token.toString(), "SELECT 1 FROM cordwood.globex.logs")
                        .err())
                .contains("Access Denied");
    }

    /** Ships rows up to {@code end}, deletes those below {@code first}, and merges: rows first to end are left. */
    private static void use(Program version, NumberedRows rows, long first, long end) throws Exception {
        rows.produce("acme", end - 10_000, end);
        rows.awaitArchived();
        ok(version, "sql", "DELETE FROM cordwood.acme.logs WHERE n < " + first);
        ok(version, "compact");
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(first, end));
    }

    private static String ok(Program version, String... command) throws IOException, InterruptedException {
        Outcome outcome = version.run(command);
        assertThat(outcome.code()).as("%s: %s", List.of(command), outcome.err()).isZero();
        return outcome.out();
    }
}

package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.Program.Outcome;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
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

/** Each store of a stack is lost once, in whole or in part, by which all its processes were killed. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class DisasterIT {
    private static final String[] UP = {"up", "--detach", "--max-age", "5", "--partitions", "3"};

    private final ObjectMapper json = new ObjectMapper();
    private Home home;
    private Program cordwood;
    private Path files;
    private NumberedRows rows;

    @BeforeAll
    void up(@TempDir Path directory) throws Exception {
        files = directory;
        home = new Home(directory.resolve("home"));
        cordwood = new Program(home.directory());
        rows = new NumberedRows(cordwood::call, directory);
        start();
    }

    private void start() throws Exception {
        long begin = System.nanoTime();
        assertThat(cordwood.run(UP)).extracting(Outcome::err).isEqualTo("");
        print("up", begin);
    }

    private static void print(String what, long begin) {
        System.out.printf("%s: %.1f s%n", what, (System.nanoTime() - begin) / 1e9);
    }

    @AfterAll
    void down() throws Exception {
        cordwood.run("down");
    }

    /** Rows come, tenants come and go, and rows are deleted between the backup and the loss. */
    @Test
    @Order(1)
    void theCatalogsDatabaseIsLost() throws Exception {
        rows.produce("acme", 0, 20_000);
        rows.produce("globex", 0, 5_000);
        rows.produce("gone", 0, 3_000);
        cordwood.callOk("tenant", "set", "globex", "--retention", "30");
        rows.awaitArchived();
        Path backups = files.resolve("backups");
        assertThat(cordwood.ok("backup", "--to", backups.toString())).contains("cordwood-catalog-");

        rows.produce("acme", 20_000, 40_000);
        rows.produce("later", 0, 4_000);
        cordwood.callOk("tenant", "delete", "gone", "--yes");
        cordwood.callOk("sql", "DELETE FROM cordwood.acme.logs WHERE n < 1000");
        rows.awaitArchived();
        // Some of these are hot when everything ends
        rows.produce("globex", 5_000, 8_000);
        rows.produce("later", 4_000, 4_500);

        KilledStack.kill(home);
        delete(home.data(), "catalog.db");
        long begin = System.nanoTime();
        String restored = cordwood.ok("restore", "--from", backups.toString());
        System.out.println(restored);
        print("restore", begin);
        assertThat(restored)
                .containsPattern("  tenant gone: deleted again: it was deleted at .*, after the backup")
                .containsPattern("  acme.logs: \\d+ commits after the backup")
                .containsPattern("  later.logs: created after the backup")
                .contains("  stream logs: archived-through is as the warehouse tells")
                .doesNotContain("! ");
        start();
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(1_000, 40_000));
        assertThat(rows.of("globex")).isEqualTo(NumberedRows.range(0, 8_000));
        assertThat(rows.of("later")).isEqualTo(NumberedRows.range(0, 4_500));
        assertThat(cordwood.callOk("tenant", "list")).contains("later").doesNotContainPattern("gone +gone +unlimited");
        assertThat(cordwood.callOk("tenant", "show", "globex")).contains("retention  30 days");
        rows.awaitArchived();
        rows.produce("acme", 40_000, 41_000);
        rows.awaitArchived();
        assertThat(rows.of("acme"))
                .as("once, after the job has read again")
                .isEqualTo(NumberedRows.range(1_000, 41_000));
        assertThat(rows.of("globex")).isEqualTo(NumberedRows.range(0, 8_000));
        assertThat(rows.of("later")).isEqualTo(NumberedRows.range(0, 4_500));
        assertThat(cordwood.call("sql", "SELECT count(*) FROM cordwood.gone.logs")
                        .err())
                .contains("Schema 'gone' does not exist");
    }

    @Test
    @Order(2)
    void redisIsLost() throws Exception {
        KilledStack.kill(home);
        delete(home.data(), "redis");
        start();
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(1_000, 41_000));
        rows.produce("acme", 41_000, 42_000);
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(1_000, 42_000));
        rows.awaitArchived();
    }

    @Test
    @Order(3)
    void someLogBlocksAreLost() throws Exception {
        assertThat(cordwood.callOk("verify")).containsPattern("\\d+ tables with \\d+ files: all are there");
        Path lost;
        try (Stream<Path> found = Files.walk(home.warehouse().resolve("globex/logs"))) {
            lost = found.filter(file -> file.toString().endsWith(".parquet"))
                    .max(Comparator.comparing(file -> file.toFile().length()))
                    .orElseThrow();
        }
        Path kept = Files.move(lost, files.resolve("kept"));
        Outcome verified = cordwood.call("verify");
        assertThat(verified.code()).isEqualTo(1);
        assertThat(verified.out())
                .containsPattern(
                        "tenant globex, stream logs: [\\d,]+ rows from 20\\S+ to 20\\S+, of partitions \\d to \\d, of"
                                + " offsets \\d+ to \\d+ were in file://" + lost)
                .containsPattern("\\d+ tables with \\d+ files: 1 lost \\([\\d,]+ rows\\), 0 tables cannot be read");
        assertThat(cordwood.call("verify", "--tenant", "acme").code()).isZero();
        assertThat(rows.of("acme")).as("nobody else is concerned").isEqualTo(NumberedRows.range(1_000, 42_000));
        Files.copy(kept, lost);
        cordwood.callOk("verify", "--tenant", "globex");
        assertThat(rows.of("globex")).isEqualTo(NumberedRows.range(0, 8_000));

        // There is no copy
        Files.delete(lost);
        assertThat(cordwood.call("verify", "--remove").err()).contains("confirm with --yes");
        assertThat(cordwood.call("verify", "--remove", "--yes").out())
                .contains("tenant globex, stream logs: removed 1 files from the table");
        cordwood.callOk("verify");
        long left = json.readTree(rows.of("globex")).path("n").asLong();
        assertThat(left).isLessThan(8_000);
        rows.produce("globex", 8_000, 8_100);
        assertThat(json.readTree(rows.of("globex")).path("n").asLong()).isEqualTo(left + 100);
    }

    @Test
    @Order(4)
    void kafkaIsLost() throws Exception {
        rows.awaitArchived();
        KilledStack.kill(home);
        delete(home.data(), "kafka");
        start();
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(1_000, 42_000));
        rows.produce("acme", 42_000, 43_000);
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(1_000, 43_000));
        assertThat(Files.readString(home.log("flink")))
                .containsPattern(
                        "Topic 'logs' with id \\S+ is gone. Of its partition \\d, records from offset \\d+ on were"
                                + " never read");
        rows.awaitArchived();
        assertThat(rows.of("acme")).isEqualTo(NumberedRows.range(1_000, 43_000));
    }

    private static void delete(Path directory, String prefix) throws IOException {
        List<Path> paths;
        try (Stream<Path> found = Files.walk(directory)) {
            paths = found.filter(path -> !path.equals(directory)
                            && directory.relativize(path).toString().startsWith(prefix))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        assertThat(paths).isNotEmpty();
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}

package io.cordwood.benchmarks.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The benchmark on few rows: the job, the catalog service and the queries are the real ones. */
final class CompactionBenchIT {
    @Test
    void mergesEachDayAndAnswersAllQueriesRight() throws IOException {
        Map<String, Double> figures = run("--quick", "--rows", "5000", "--flushes", "6", "--parts", "REQUEST_LOG");

        assertThat(figures.get("request_log files_before")).isGreaterThan(150);
        assertThat(figures.get("request_log files_after"))
                .isEqualTo(50)
                .isEqualTo(figures.get("request_log files_ideal"));
        // A cycle a minute is none of a job that runs once
        assertThat(figures.get("request_log wall_seconds")).isLessThan(59);
        assertThat(figures.get("request_log write_amplification")).isBetween(1.1, 2.0);
        assertThat(figures.get("request_log answers_right")).isEqualTo(figures.get("request_log answers_total"));
        assertThat(figures)
                .containsKeys(
                        "request_log query_ratio_geomean",
                        "vs_bulk query_ratio_geomean",
                        "request_log mb_per_cpu_second",
                        "request_log rows_per_cpu_second",
                        "request_log peak_heap_bytes",
                        "before stored_per_raw",
                        "after stored_per_raw");
    }

    @Test
    void plansAYear() throws IOException {
        Map<String, Double> figures = run("--quick", "--parts", "YEAR");

        // Each byte is written by a flush, by some merges while its day is open, and by a last one
        assertThat(figures.get("year/large write_amplification")).isBetween(2.0, 5.0);
        assertThat(figures.get("year/large logblocks_a_day_closed"))
                .isLessThan(1.5 * figures.get("year/large files_ideal"));
        assertThat(figures.get("year/large logblocks_a_day_open_most")).isLessThan(250);
        assertThat(figures.get("year/small logblocks_a_day_closed_most")).isEqualTo(1);
        assertThat(figures.get("metadata/large data_files")).isEqualTo(750);
        assertThat(figures.get("metadata/large table_day_all_ms")).isPositive();
    }

    @Test
    void commitsManyTimes() throws IOException {
        Map<String, Double> figures = run("--quick", "--parts", "COMMITS");

        assertThat(figures.get("commits/alone/100 data_files")).isEqualTo(100);
        assertThat(figures.get("commits/maintained/100 data_files")).isLessThan(30);
        assertThat(figures.get("commits/alone/100 snapshots")).isEqualTo(100);
        assertThat(figures.get("commits/maintained/100 snapshots")).isBetween(60.0, 80.0);
        assertThat(figures.get("commits/maintained snapshots_expired")).isGreaterThan(20);
        assertThat(figures.get("commits/maintained/100 metadata_log")).isEqualTo(20);
        assertThat(figures.get("commits/maintained/100 metadata_file_bytes")).isPositive();
    }

    @Test
    void dropsExpiredDaysInOneCycle() throws IOException {
        Map<String, Double> figures = run("--quick", "--parts", "RETENTION");

        assertThat(figures.get("retention objects_before")).isEqualTo(40 * 30);
        assertThat(figures.get("retention objects_after")).isEqualTo(36 * 8 + 4 * 30);
        assertThat(figures.get("retention rows_checked")).isEqualTo(5 * (36 * 8 + 4 * 30));
        // A load, a commit and a load of each table that expires, and the lists
        assertThat(figures.get("retention/cycle1 catalog_calls")).isBetween(36.0 * 3, 40.0 * 6);
        assertThat(figures.get("retention/cycle3 catalog_calls")).isLessThan(10);
    }

    /** Figures by case and metric. */
    private static Map<String, Double> run(String... arguments) throws IOException {
        PrintStream out = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, UTF_8));
        try {
            assertThat(new CommandLine(new CompactionBench()).execute(arguments))
                    .isZero();
        } finally {
            System.setOut(out);
        }
        Map<String, Double> figures = new HashMap<>();
        for (String line : captured.toString(UTF_8)
                .lines()
                .filter(text -> text.startsWith("{"))
                .toList()) {
            JsonNode figure = new ObjectMapper().readTree(line);
            figures.put(
                    figure.get("case").asText() + " " + figure.get("metric").asText(),
                    figure.get("value").asDouble());
        }
        return figures;
    }
}

package io.cordwood.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BenchmarksTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nothing-of-that-name",
                "query --nothing-of-that-name",
                "query --repeat 0",
                "query --repeat many",
                "query --rows 0",
                "query --rows 5 --ndjson pom.xml",
                "query --queries nothing-of-that-name",
                "query --bank nothing-of-that-name",
                "query --bank pom.xml --ndjson pom.xml",
                "identity --passes 0",
                "identity --rows 0",
                "ingest --max-age 0",
                "ingest --max-age 86401",
                "ingest --passes 0",
                "ingest --steady 0",
                "ingest --steady 1000 --minutes 0",
                "ingest --steady 1000 --passes 2",
                "ingest --ndjson nothing-of-that-name",
                "logblock --ndjson .",
                "logblock --repeat -1",
                "logblock --parts nothing-of-that-name",
                "logblock --time-rows 0",
                "logblock --needle-logblocks -1",
                "logblock superfluous",
                "patterns --structured nothing-of-that-name",
                "patterns --text nothing-of-that-name",
                "compaction --flushes 0",
                "compaction --zstd-level 23",
                "compaction --parts nothing-of-that-name",
            })
    void wrongArgumentsAreOneLineAndExitCodeTwo(String arguments) {
        StringWriter err = new StringWriter();

        int code = Benchmarks.run(
                new PrintWriter(err, true), arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("bench: ").endsWith("--help)"));
    }

    @Test
    void rowsThatCannotBeUsedAreOneLineAndExitCodeOne() {
        StringWriter err = new StringWriter();

        int code = Benchmarks.run(new PrintWriter(err, true), "logblock", "--ndjson", "pom.xml");

        assertThat(code).isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("bench: line 1 of pom.xml is not a JSON object"));
    }
}

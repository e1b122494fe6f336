package io.cordwood.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

final class ReportTest {
    @Test
    void casesUnderANameBeginWithIt() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Report report = new Report("test", new PrintStream(out, true, UTF_8));

        report.add("all", "right", 2, "queries");
        report.under("layouts").add("all", "right", 1, "queries");
        report.printTable();

        assertThat(out.toString(UTF_8).lines())
                .containsSubsequence(
                        "{\"bench\":\"test\",\"case\":\"all\",\"metric\":\"right\",\"value\":2.0,\"unit\":\"queries\"}",
                        "{\"bench\":\"test\",\"case\":\"layouts/all\",\"metric\":\"right\",\"value\":1.0,\"unit\":\"queries\"}",
                        "all          right            2.0000 queries",
                        "layouts/all  right            1.0000 queries");
    }
}

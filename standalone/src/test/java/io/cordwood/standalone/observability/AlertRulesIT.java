package io.cordwood.standalone.observability;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.TestServices;
import io.cordwood.standalone.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus's own tool lets each alert rule fire. */
@Tag("slow")
final class AlertRulesIT {
    @Test
    void eachRuleFiresWhenItShould(@TempDir Path directory) throws Exception {
        Path promtool = TestServices.promtool(directory);
        Process run = new ProcessBuilder(
                        promtool.toString(),
                        "test",
                        "rules",
                        AlertRules.tests(Program.root()).toString())
                .redirectErrorStream(true)
                .start();
        run.getOutputStream().close();
        String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor()).as(output).isZero();
    }
}

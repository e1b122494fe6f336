package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.standalone.Program.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer runs first. */
final class DemoIT {
    @Test
    void asksForWhatItShippedAndSaysWhatTheBalancerDid(@TempDir Path home) throws Exception {
        Outcome demo = new Program(home).run("demo", "--rows", "60000");
        assertThat(demo.code()).as(demo.err()).isZero();
        assertThat(demo.out())
                .contains("60,000 records acknowledged", "needle: one trace id", "tail: the newest rows")
                .doesNotContain("WRONG")
                // Which plan depends on how evenly rows come while the cores do other work too.
                .containsPattern(
                        "the balancer (found a hot spot \\(.*\\) and published version [0-9]+|published no plan)")
                .containsPattern("highest utilisation(: [0-9]+ % -> [0-9]+ %| that it saw was [0-9]+ %)")
                .containsPattern("stored: .* bytes per raw byte");
    }
}

package io.cordwood.benchmarks.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlameGraphTest {
    @TempDir
    Path directory;

    @Test
    void framesAreAsWideAsTheyAreFrequent() throws IOException {
        FlameGraph graph = new FlameGraph("CPU <time>");
        graph.add(List.of("a.B.leaf", "a.B.root"));
        graph.add(List.of("a.B.leaf", "a.B.root"));
        graph.add(List.of("a.B.other", "a.B.root"));
        graph.add(List.of("a.B.<init>", "a.B.start"));
        Path file = directory.resolve("flame.svg");
        graph.write(file);

        assertThat(Files.readString(file))
                .contains("CPU &lt;time&gt;, 4 samples")
                .contains("<title>a.B.root: 75.00 %</title><rect x=\"0.0\" y=\"40\" width=\"900.0\"")
                .contains("<title>a.B.leaf: 50.00 %</title><rect x=\"0.0\" y=\"24\" width=\"600.0\"")
                .contains("<title>a.B.other: 25.00 %</title><rect x=\"600.0\"")
                .contains("<title>a.B.&lt;init&gt;: 25.00 %</title><rect x=\"900.0\"")
                .endsWith("</svg>\n");
    }

    @Test
    void framesTooNarrowToSeeAreLeftOut() throws IOException {
        FlameGraph graph = new FlameGraph("CPU");
        for (int i = 0; i < 2000; i++) {
            graph.add(List.of("a.B.often"));
        }
        graph.add(List.of("a.B.once"));
        Path file = directory.resolve("flame.svg");
        graph.write(file);

        assertThat(Files.readString(file)).contains("a.B.often").doesNotContain("a.B.once");
    }
}

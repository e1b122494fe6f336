package io.cordwood.benchmarks.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures of grouping are what their definitions say. */
class GroupingTest {
    @Test
    void accuracyCountsGroupsThatAreRightAsAWhole() {
        List<String> labels = List.of("a", "a", "b", "b", "c");
        assertThat(Grouping.accuracy(labels, labels)).isEqualTo(1);
        assertThat(Grouping.accuracy(List.of("1", "1", "2", "3", "4"), labels)).isEqualTo(0.6);
        assertThat(Grouping.purity(List.of("1", "1", "2", "3", "4"), labels)).isEqualTo(1);
        assertThat(Grouping.purity(List.of("1", "1", "1", "1", "1"), labels)).isEqualTo(0.4);
        assertThat(Grouping.accuracy(List.of("1", "1", "1", "1", "1"), labels)).isZero();
    }

    @Test
    void generatedLinesAreGroupedByTheirTemplates() {
        LabelledLines lines = LabelledLines.generated(5000);
        assertThat(Grouping.accuracy(Grouping.patterns(lines.lines()), lines.templates()))
                .isGreaterThan(0.95);
    }

    @Test
    void labelledLinesAreCsv(@TempDir Path directory) throws Exception {
        Path csv = Files.writeString(
                directory.resolve("x_structured.csv"), "LineId,Content,EventId\n1,\"a, \"\"b\"\" c\",E1\n2,plain,E2\n");
        assertThat(LabelledLines.read(csv))
                .isEqualTo(new LabelledLines(List.of("a, \"b\" c", "plain"), List.of("E1", "E2")));
    }
}

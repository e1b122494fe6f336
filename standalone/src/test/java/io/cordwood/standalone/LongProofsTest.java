package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shards of {@code bin/test --all} leave no slow proof out, and the list of them in CONTRIBUTING.md neither. */
final class LongProofsTest {
    private static final Pattern TAGGED = Pattern.compile(
            "@Tag\\(\"slow\"\\)(?:\\s+@\\w+(?:\\([^)]*\\))?)*\\s+(?:final class (\\w+)|void (\\w+)\\()");

    private final Path root = Program.root();

    @Test
    void everySlowTestIsPartOfAShard() throws IOException {
        List<String> parts = parts();
        assertThat(parts).doesNotHaveDuplicates();
        List<String> tagged = tagged();
        assertThat(tagged).hasSizeGreaterThan(10);
        assertThat(tagged)
                .allMatch(
                        proof -> parts.contains(proof) || parts.contains(proof.replaceFirst("#.*", "")), "in a shard");
        for (String part : parts) {
            assertThat(tagged).as(part).anyMatch(proof -> proof.equals(part) || proof.startsWith(part + "#"));
        }
    }

    @Test
    void everyPartHasALineInTheList() throws IOException {
        String contributing = Files.readString(root.resolve("CONTRIBUTING.md"));
        assertThat(parts()).allMatch(part -> contributing.contains("- `" + part + "`: "));
    }

    private List<String> parts() throws IOException {
        return Files.readAllLines(root.resolve("bin/internal/long-proofs")).stream()
                .filter(line -> !line.startsWith("#") && !line.startsWith("default"))
                .map(line -> line.replaceFirst(" .*", ""))
                .toList();
    }

    /** Classes and methods with the tag, as {@code Class} or {@code Class#method}. */
    private List<String> tagged() throws IOException {
        List<String> tagged = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("IT.java")).toList()) {
                String source = Files.readString(file);
                String name = file.getFileName().toString().replace(".java", "");
                Matcher matcher = TAGGED.matcher(source);
                int found = 0;
                while (matcher.find()) {
                    tagged.add(matcher.group(2) == null ? name : name + "#" + matcher.group(2));
                    found++;
                }
                assertThat(source.split("@Tag\\(\"slow\"\\)", -1))
                        .as("tags in %s", file)
                        .hasSize(found + 1);
            }
        }
        return tagged;
    }
}

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

/** What the documents link to is there. */
final class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)]*)?\\)");

    @Test
    void linksLeadSomewhere() throws IOException {
        Path root = Program.root();
        List<String> broken = new ArrayList<>();
        for (Path document : documents(root)) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                if (!Files.exists(document.resolveSibling(link.group(1)))) {
                    broken.add(root.relativize(document) + " -> " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> documents(Path root) throws IOException {
        List<Path> documents = new ArrayList<>();
        for (Path directory : List.of(root, root.resolve("docs"), root.resolve("docs/adr"))) {
            try (Stream<Path> files = Files.list(directory)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        return documents;
    }
}

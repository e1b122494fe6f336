package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents link to is there, and so are the tests that they name. */
final class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)]*)?\\)");

    /** A test as documents name it: its class and its method. */
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

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

    @Test
    void testsThatDocumentsNameExist() throws IOException {
        Path root = Program.root();
        Map<String, String> tests = tests(root);
        List<String> missing = new ArrayList<>();
        for (Path document : documents(root)) {
            Matcher name = TEST.matcher(Files.readString(document));
            while (name.find()) {
                if (!tests.getOrDefault(name.group(1), "").contains(" void " + name.group(2) + "(")) {
                    missing.add(root.relativize(document) + " -> " + name.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Texts of the test classes of all modules, by name. */
    private static Map<String, String> tests(Path root) throws IOException {
        Map<String, String> tests = new HashMap<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.toList()) {
                Path sources = module.resolve("src/test/java");
                if (Files.isDirectory(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                                .toList()) {
                            String name = file.getFileName().toString();
                            tests.merge(
                                    name.substring(0, name.length() - ".java".length()),
                                    Files.readString(file),
                                    String::concat);
                        }
                    }
                }
            }
        }
        return tests;
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

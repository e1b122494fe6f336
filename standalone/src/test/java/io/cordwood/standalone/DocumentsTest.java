package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Links in documents lead to files and headings, and the tests, commands and properties that documents name exist, as
 * do the documents that the code names. Every page is linked from the index, and no line is longer than {@value
 * #COLUMNS} columns.
 */
final class DocumentsTest {
    private static final int COLUMNS = 120;

    private static final Path ROOT = Program.root();
    private static final List<Path> FILES = files(ROOT);

    /** A relative link; those with a scheme lead to where no test looks. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?![a-z]+:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");

    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?) *#*$", Pattern.MULTILINE);
    private static final Pattern FENCED = Pattern.compile("^ *```.*?^ *```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

    /** A test as documents name it: its class, with or without its method; not those that Trino has. */
    private static final Pattern TEST =
            Pattern.compile("`(?!BaseConnectorTest)([A-Z][a-z]\\w*(?:Test|IT))`|`(\\w+)#(\\w+)`");

    private static final Pattern COMMAND = Pattern.compile("bin/cordwood ([a-z]+)");
    private static final Pattern BENCHMARK = Pattern.compile("bin/bench ([a-z]+)");

    /** A property of a table, a session or Trino's catalog, or a header of a record; not a table's name in SQL. */
    private static final Pattern PROPERTY =
            Pattern.compile("(?:`|SESSION )(cordwood\\.(?!system\\.|all_tenants|acme|yaml)[a-z0-9_.-]*[a-z0-9])");

    private static final Pattern DOCUMENT = Pattern.compile("\\b(docs/[\\w/-]+\\.md)");

    /** Rows that give reasons word for word as the code has them, each on one line ({@code ListedTests}). */
    private static final Path REASONS = Path.of("docs/contribute/compatibility.md");

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link = LINK.matcher(CODE.matcher(text(document)).replaceAll(""));
            while (link.find()) {
                Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
                if (!Files.exists(target)) {
                    broken.add(ROOT.relativize(document) + " -> " + link.group(1));
                } else if (link.group(2) != null && !anchors(target).contains(link.group(2))) {
                    broken.add(ROOT.relativize(document) + " -> " + link.group(1) + "#" + link.group(2));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    /** What headings are linked by, as GitHub makes it: letters, digits, - and _ in lower case, blanks as -. */
    private static Set<String> anchors(Path document) throws IOException {
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(text(document));
        while (heading.find()) {
            String name = heading.group(1)
                    .replaceAll("\\]\\([^)]*\\)", "")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "")
                    .replace(' ', '-');
            String anchor = name;
            for (int n = 1; !anchors.add(anchor); n++) {
                anchor = name + "-" + n;
            }
        }
        return anchors;
    }

    /** A document without its blocks of code; of a notebook the cells that are text. */
    private static String text(Path document) throws IOException {
        String text = Files.readString(document);
        if (document.toString().endsWith(".ipynb")) {
            text = new ObjectMapper()
                    .readTree(text)
                    .path("cells")
                    .valueStream()
                    .filter(cell -> cell.path("cell_type").asText().equals("markdown"))
                    .flatMap(cell -> cell.path("source").valueStream())
                    .map(JsonNode::asText)
                    .collect(Collectors.joining());
        }
        return FENCED.matcher(text).replaceAll("");
    }

    @Test
    void testsThatDocumentsNameExist() throws IOException {
        Map<String, String> tests = tests();
        List<String> missing = new ArrayList<>();
        for (Path document : documents()) {
            Matcher name = TEST.matcher(Files.readString(document));
            while (name.find()) {
                boolean exists = name.group(1) == null
                        ? tests.getOrDefault(name.group(2), "").contains(" void " + name.group(3) + "(")
                        : tests.containsKey(name.group(1));
                if (!exists) {
                    missing.add(ROOT.relativize(document) + " -> " + name.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void linesFitTheColumns() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path document : documents()) {
            if (document.toString().endsWith(".ipynb")) {
                continue;
            }
            boolean reasons = ROOT.relativize(document).equals(REASONS);
            List<String> lines = Files.readAllLines(document);
            for (int n = 0; n < lines.size(); n++) {
                String line = lines.get(n);
                if (line.codePointCount(0, line.length()) > COLUMNS
                        && line.strip().contains(" ")
                        && !(reasons && line.startsWith("| `"))) {
                    tooLong.add(ROOT.relativize(document) + ":" + (n + 1));
                }
            }
        }
        assertThat(tooLong).as("lines longer than %d columns", COLUMNS).isEmpty();
    }

    @Test
    void commentsFitTheColumns() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path source : sources()) {
            List<String> lines = Files.readAllLines(source);
            for (int n = 0; n < lines.size(); n++) {
                String line = lines.get(n).strip();
                boolean isComment = line.startsWith("*") || line.startsWith("/*") || line.startsWith("//");
                if (isComment && lines.get(n).codePointCount(0, lines.get(n).length()) > COLUMNS) {
                    tooLong.add(ROOT.relativize(source) + ":" + (n + 1));
                }
            }
        }
        assertThat(tooLong)
                .as("lines of comments longer than %d columns", COLUMNS)
                .isEmpty();
    }

    @Test
    void pagesAreLinkedFromTheIndex() throws IOException {
        Path docs = ROOT.resolve("docs");
        Set<Path> linked = new HashSet<>();
        Deque<Path> reached = new ArrayDeque<>(List.of(docs.resolve("README.md")));
        while (!reached.isEmpty()) {
            Path document = reached.pop();
            if (!linked.add(document) || !document.toString().endsWith(".md") || !document.startsWith(docs)) {
                continue;
            }
            Matcher link = LINK.matcher(CODE.matcher(text(document)).replaceAll(""));
            while (link.find()) {
                if (!link.group(1).isEmpty()) {
                    reached.push(document.resolveSibling(link.group(1)).normalize());
                }
            }
        }
        assertThat(documents().stream().filter(document -> document.startsWith(docs)))
                .isSubsetOf(linked);
    }

    @Test
    void commandsThatDocumentsNameExist() throws IOException {
        Set<String> commands = new CommandLine(Cordwood.class).getSubcommands().keySet();
        String benchmarks = Files.readString(ROOT.resolve("bin/bench"));
        List<String> missing = new ArrayList<>();
        for (Path document : documents()) {
            String text = Files.readString(document);
            named(COMMAND, text)
                    .filter(name -> !commands.contains(name))
                    .forEach(name -> missing.add(ROOT.relativize(document) + " -> bin/cordwood " + name));
            named(BENCHMARK, text)
                    .filter(name -> !benchmarks.contains(name))
                    .forEach(name -> missing.add(ROOT.relativize(document) + " -> bin/bench " + name));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void propertiesThatDocumentsNameExist() throws IOException {
        String code = code();
        List<String> missing = new ArrayList<>();
        for (Path document : documents()) {
            named(PROPERTY, Files.readString(document))
                    .filter(name -> !code.contains(name) && !code.contains(sessionProperty(name)))
                    .forEach(name -> missing.add(ROOT.relativize(document) + " -> " + name));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void documentsThatTheCodeNamesExist() throws IOException {
        assertThat(named(DOCUMENT, code()).filter(name -> !Files.exists(ROOT.resolve(name))))
                .isEmpty();
    }

    /** The code's name of a session property, which has the catalog's name before it in SQL. */
    private static String sessionProperty(String name) {
        return '"' + name.substring("cordwood.".length()) + '"';
    }

    private static Stream<String> named(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(result -> result.group(1)).distinct();
    }

    /** Sources and resources of all modules, without their tests. */
    private static String code() throws IOException {
        StringBuilder code = new StringBuilder();
        for (Path file : FILES) {
            if (file.toString().matches(".*/src/main/.*\\.(java|yml|properties)")) {
                code.append(Files.readString(file));
            }
        }
        return code.toString();
    }

    /** Java sources of all modules and of their tests. */
    private static List<Path> sources() {
        return FILES.stream()
                .filter(file -> file.toString().matches(".*/src/.*\\.java"))
                .toList();
    }

    /** Texts of the classes of all modules, by name; tests are among them. */
    private static Map<String, String> tests() throws IOException {
        Map<String, String> tests = new HashMap<>();
        for (Path source : sources()) {
            String name = source.getFileName().toString();
            tests.merge(name.substring(0, name.length() - ".java".length()), Files.readString(source), String::concat);
        }
        return tests;
    }

    /** Every document of the project. */
    private static List<Path> documents() {
        return FILES.stream()
                .filter(file ->
                        file.toString().endsWith(".md") || file.toString().endsWith(".ipynb"))
                .toList();
    }

    /** Every file of the project, without the build's output and hidden directories. */
    private static List<Path> files(Path root) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    String name = directory.getFileName().toString();
                    return !directory.equals(root) && (name.startsWith(".") || name.equals("target"))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(files);
    }
}

package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.Script.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/release} makes of the last commit, used as who has downloaded it does. */
@Tag("slow")
@Timeout(value = 40, unit = TimeUnit.MINUTES)
final class ReleaseIT {
    private final Path root = Program.root();

    @Test
    void aReleaseRunsWithoutMavenAndIsMadeAlikeTwice(@TempDir Path directory) throws Exception {
        Path first = release(directory.resolve("first"));
        run(Map.of(), "sh", "-c", "cd '%s' && sha256sum --check --quiet SHA256SUMS".formatted(first));
        Path archive = only(first, ".tar.gz");
        System.out.printf("%s: %d MB%n", archive.getFileName(), Files.size(archive) / 1_000_000);
        tryIt(archive, Files.createDirectories(directory.resolve("newcomer")));
        listsEachJarWithItsLicence(first, archive);
        hasTheLibraries(first);
        assertThat(release(directory.resolve("second")).resolve("SHA256SUMS"))
                .hasSameTextualContentAs(first.resolve("SHA256SUMS"));
    }

    private Path release(Path directory) throws Exception {
        run(Map.of(), root.resolve("bin/release").toString(), directory.toString());
        return directory;
    }

    private static void run(Map<String, String> environment, String... command) throws Exception {
        Outcome outcome = Script.run(List.of(command), environment);
        outcome.assertCode(0);
    }

    /** With an empty home directory, and no more than a shell's programs on PATH. */
    private static void tryIt(Path archive, Path home) throws Exception {
        run(Map.of(), "tar", "--extract", "--gzip", "--file=" + archive, "--directory=" + home);
        String name = archive.getFileName().toString().replace(".tar.gz", "");
        String cordwood = home.resolve(name).resolve("bin/cordwood").toString();
        // Not as tests, for which nothing is built
        Map<String, String> environment = Map.of(
                "HOME",
                home.toString(),
                "CORDWOOD_HOME",
                home.resolve("lake").toString(),
                "CORDWOOD_BUILD",
                "",
                "PATH",
                "/usr/bin:/bin");
        Path lines = Files.writeString(home.resolve("app.log"), "the first row of a newcomer\n");
        long begun = System.nanoTime();
        try {
            run(environment, cordwood, "up", "--detach", "--max-age", "5");
            run(environment, cordwood, "produce", "--tenant", "acme", lines.toString());
            Outcome answer = Script.run(
                    List.of(cordwood, "sql", "SELECT message FROM cordwood.acme.logs WHERE match(message, 'newcomer')"),
                    environment);
            System.out.printf("first answer after %.1f s%n", (System.nanoTime() - begun) / 1e9);
            assertThat(answer.lastLines()).contains("the first row of a newcomer");
        } finally {
            run(environment, cordwood, "down");
        }
    }

    private static void listsEachJarWithItsLicence(Path release, Path archive) throws Exception {
        JsonNode parts = new ObjectMapper()
                .readTree(only(release, "-sbom.json").toFile())
                .required("components");
        assertThat(parts)
                .allSatisfy(part -> assertThat(part.path("licenses"))
                        .as(part.path("purl").asText())
                        .isNotEmpty());
        Set<String> listed = parts.valueStream()
                .map(part ->
                        part.path("name").asText() + "-" + part.path("version").asText())
                .collect(Collectors.toSet());
        Set<String> shipped = new TreeSet<>();
        Process list = new ProcessBuilder("tar", "--list", "--gzip", "--file=" + archive).start();
        list.getOutputStream().close();
        try (BufferedReader names = list.inputReader()) {
            names.lines()
                    .filter(name -> name.endsWith(".jar"))
                    .map(name -> name.replaceFirst(".*/", "").replaceFirst("\\.jar$", ""))
                    .forEach(shipped::add);
        }
        assertThat(shipped).hasSizeGreaterThan(200);
        // Some have a classifier after the version
        assertThat(shipped).allSatisfy(jar -> assertThat(listed).as(jar).anyMatch(jar::startsWith));
        System.out.printf("%d jars, %d parts listed%n", shipped.size(), parts.size());
    }

    private static Path only(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void hasTheLibraries(Path release) {
        for (String library : List.of("logblock", "routing", "query")) {
            Path directory = release.resolve("maven/io/cordwood").resolve(library);
            assertThat(directory).isDirectoryRecursivelyContaining("glob:**/%s-*.jar".formatted(library));
            assertThat(directory).isDirectoryRecursivelyContaining("glob:**/%s-*.pom".formatted(library));
        }
        assertThat(release.resolve("maven/io/cordwood/cordwood")).isDirectoryRecursivelyContaining("glob:**.pom");
    }
}

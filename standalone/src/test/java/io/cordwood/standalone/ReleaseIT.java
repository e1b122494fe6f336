package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.Script.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
        Path archive;
        try (Stream<Path> files = Files.list(first)) {
            archive = files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow();
        }
        System.out.printf("%s: %d MB%n", archive.getFileName(), Files.size(archive) / 1_000_000);
        tryIt(archive, Files.createDirectories(directory.resolve("newcomer")));
        everyPartHasALicence(first);
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
        Map<String, String> environment = Map.of(
                "HOME", home.toString(), "CORDWOOD_HOME", home.resolve("lake").toString(), "PATH", "/usr/bin:/bin");
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

    private static void everyPartHasALicence(Path release) throws Exception {
        try (Stream<Path> files = Files.list(release)) {
            JsonNode parts = new ObjectMapper()
                    .readTree(files.filter(file -> file.toString().endsWith("-sbom.json"))
                            .findFirst()
                            .orElseThrow()
                            .toFile())
                    .required("components");
            System.out.printf("%d parts%n", parts.size());
            assertThat(parts).hasSizeGreaterThan(200);
            assertThat(parts).allSatisfy(part -> assertThat(part.path("licenses"))
                    .as(part.path("purl").asText())
                    .isNotEmpty());
        }
    }
}

package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.standalone.deploy.ComposeFile;
import io.cordwood.standalone.service.SingleService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What can be said of the files in {@code docker/} without Docker. */
final class DeploymentFilesTest {
    private static final Set<String> PROFILES = Set.of("core", "observability", "notebooks");
    private static final Pattern PINNED = Pattern.compile(".+:[a-z-]*[v0-9][a-z0-9.-]*");
    private static final Pattern STAGE = Pattern.compile("(?m)^FROM \\S+ AS (\\w+)$");
    private static final Pattern PROBED = Pattern.compile("/healthy\", (\"[^\\]]*\")\\]");

    private final Path root = Program.root();
    private final ComposeFile compose = read(root);

    private static ComposeFile read(Path root) {
        try {
            return ComposeFile.read(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void servicesArePinnedUnprivilegedAndChecked() {
        compose.services().forEach((name, service) -> {
            assertThat(service.path("image").asText()).as(name).matches(PINNED);
            assertThat(PROFILES)
                    .as(name)
                    .contains(service.path("profiles").path(0).asText());
            if (!name.equals("s3-bucket")) {
                assertThat(service.path("user").asText())
                        .as(name)
                        .isNotEmpty()
                        .isNotEqualTo("root")
                        .isNotEqualTo("0");
                assertThat(service.path("healthcheck").path("test").size())
                        .as(name)
                        .isPositive();
            }
            service.path("ports")
                    .forEach(port -> assertThat(port.asText())
                            .as(name)
                            .startsWith(compose.variables().get("BIND") + ":"));
            service.path("depends_on")
                    .fieldNames()
                    .forEachRemaining(
                            other -> assertThat(compose.services()).as(name).containsKey(other));
        });
        assertThat(compose.variables().get("BIND")).isEqualTo("127.0.0.1");
    }

    @Test
    void everyVariableOfAServiceIsAnOption() {
        CommandLine service = new CommandLine(new ServiceCommand());
        Set<String> known = service.getCommandSpec().options().stream()
                .map(option -> SingleService.variable(option.longestName()))
                .collect(Collectors.toCollection(TreeSet::new));
        for (SingleService each : SingleService.values()) {
            String name = each.name().toLowerCase(Locale.ROOT);
            Set<String> used = compose.environment(name).keySet().stream()
                    .filter(variable -> variable.startsWith("CORDWOOD_"))
                    .filter(variable -> !variable.equals("CORDWOOD_" + each.name() + "_JAVA_OPTIONS"))
                    .collect(Collectors.toSet());
            assertThat(known).as(name).containsAll(used);
            assertThat(used).as(name).isNotEmpty();
        }
    }

    @Test
    void composeBuildsTargetsOfTheDockerfileAndProbesAsItDoes() throws IOException {
        String dockerfile = Files.readString(root.resolve("docker/Dockerfile"));
        Set<String> stages =
                STAGE.matcher(dockerfile).results().map(stage -> stage.group(1)).collect(Collectors.toSet());
        List<String> targets = compose.services().values().stream()
                .map(service -> service.path("build").path("target"))
                .filter(target -> !target.isMissingNode())
                .map(JsonNode::asText)
                .toList();
        assertThat(stages).containsAll(targets);
        assertThat(targets).contains("catalog", "flink", "balancer", "trino", "broker");
        assertThat(dockerfile.lines().filter(line -> line.startsWith("ARG KAFKA=")))
                .containsExactly("ARG KAFKA=" + compose.variables().get("KAFKA_IMAGE"));
        assertThat(probes(Files.readString(root.resolve("docker/compose.yaml"))))
                .isEqualTo(probes(dockerfile));
        try (Stream<String> lines = dockerfile.lines()) {
            lines.filter(line -> line.startsWith("COPY ") && !line.contains("--from") && !line.contains(". ."))
                    .map(line -> line.replaceAll("--\\S+ ", "").split(" ", -1)[1])
                    .forEach(source -> assertThat(root.resolve(source)).exists());
        }
    }

    private static Set<String> probes(String text) {
        return PROBED.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }
}

package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.identity.kafka.PemEngines;
import io.cordwood.standalone.deploy.ComposeFile;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.ServiceSecrets;
import io.cordwood.standalone.service.SingleService;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** What can be said of the files in {@code docker/} without Docker. */
final class DeploymentFilesTest {
    /** Services that do one thing, as root, and end. */
    private static final Set<String> STEPS = Set.of("s3-bucket", "secrets", "accounts");

    /** Images of others that write where no volume is. */
    private static final Set<String> WRITABLE = Set.of("grafana", "notebook");

    private static final Pattern CREDENTIAL = Pattern.compile(".*(PASSWORD|SECRET_KEY|ACCESS_KEY(_ID)?|TOKEN)");

    private static final Pattern OWNER = Pattern.compile("(?m)^ +([a-z| *-]+)\\) user=([0-9]+) ;;$");

    private static final Set<String> PROFILES = Set.of("core", "workers", "observability", "notebooks");
    static final Pattern PINNED = Pattern.compile(".+:[a-z-]*[v0-9][a-z0-9.-]*");
    private static final Pattern STAGE = Pattern.compile("(?m)^FROM \\S+ AS ([a-z-]+)$");
    private static final Pattern PROBED = Pattern.compile("/healthy\", (\"[^\\]]*\")\\]");

    /** Has no health check in the image, where it is a command beside the ingest job. */
    private static final String TASK_MANAGER_PROBE = "/healthy\", \"9404\", \"/metrics\", \"cordwood_ingest\"]";

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
            assertThat(service.path("read_only").asBoolean())
                    .as("%s writes to its volumes only", name)
                    .isEqualTo(!WRITABLE.contains(name));
            if (!STEPS.contains(name)) {
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
    void eachServiceAsksWhoCallsAndMountsItsOwnSecretsOnly() {
        compose.services().forEach((name, service) -> {
            compose.environment(name).forEach((variable, value) -> {
                assertThat(variable).as(name).doesNotMatch(CREDENTIAL).isNotEqualTo("CORDWOOD_INSECURE_OPEN");
                assertThat(value).as(name).doesNotContain("password=", "http://s3:7070/", "PLAINTEXT");
            });
            List<String> mounted = service.path("volumes")
                    .valueStream()
                    .map(JsonNode::asText)
                    .filter(volume -> volume.startsWith("secrets"))
                    .toList();
            if (List.of("secrets", "accounts").contains(name)) {
                assertThat(mounted).contains("secrets:/secrets");
            } else if (!mounted.isEmpty()) {
                assertThat(mounted).as(name).containsExactly("secrets-%s:/secrets:ro".formatted(service(name)));
            }
        });
        for (SingleService each : SingleService.values()) {
            assertThat(compose.environment(each.toString()))
                    .as(each.toString())
                    .containsEntry("CORDWOOD_SECRETS", "/secrets");
            assertThat(compose.services().get(each.toString()).path("volumes").toString())
                    .contains("secrets-%s:/secrets:ro".formatted(each));
        }
    }

    @Test
    void theBrokerAsksWhoCalls() throws IOException {
        Properties broker = new Properties();
        try (InputStream file = Files.newInputStream(root.resolve("docker/kafka/server.properties"))) {
            broker.load(file);
        }
        assertThat(broker)
                .containsEntry(
                        "listener.security.protocol.map",
                        "INTERNAL:SASL_SSL,CONTROLLER:SSL,BROKER:SSL,EXTERNAL:SASL_SSL")
                .containsEntry("listener.name.controller.ssl.client.auth", "required")
                .containsEntry("listener.name.broker.ssl.client.auth", "required")
                .containsEntry("sasl.enabled.mechanisms", "SCRAM-SHA-512")
                .containsEntry("super.users", "User:cordwood-admin;User:CN=kafka")
                .containsEntry("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .containsEntry("allow.everyone.if.no.acl.found", "false")
                .containsEntry("ssl.engine.factory.class", PemEngines.class.getName());
        assertThat(broker.getProperty("listeners"))
                .as("only the broker itself is its controller")
                .contains("CONTROLLER://localhost:");
        Properties open = new Properties();
        try (InputStream file = Files.newInputStream(root.resolve("docker/kafka/open.properties"))) {
            open.load(file);
        }
        assertThat(open.stringPropertyNames())
                .containsExactlyInAnyOrder("listener.security.protocol.map", "allow.everyone.if.no.acl.found");
    }

    @Test
    void whoReadsSecretsWaitsForThem() {
        assertThat(compose.services().get("grafana").path("entrypoint").toString())
                .as("starts with no other password than its own")
                .contains("test -s /secrets/password || {");
        for (String name : List.of("grafana", "notebook")) {
            JsonNode secrets = compose.services().get(name).path("depends_on").path("secrets");
            assertThat(secrets.path("condition").asText()).as(name).isEqualTo("service_completed_successfully");
            assertThat(secrets.path("required").asBoolean(true))
                    .as("%s has another profile", name)
                    .isFalse();
        }
    }

    @Test
    void eachServiceOwnsItsSecrets() throws IOException {
        Map<String, String> owners = new HashMap<>();
        OWNER.matcher(Files.readString(root.resolve("docker/secrets")))
                .results()
                .forEach(owner -> {
                    for (String name : owner.group(1).split(" \\| ", -1)) {
                        owners.put(name, owner.group(2));
                    }
                });
        compose.services().forEach((name, service) -> {
            String user = service.path("user").asText();
            if (user.matches("[0-9]+")
                    && service.path("volumes").toString().contains("\"secrets-%s:".formatted(service(name)))
                    && !STEPS.contains(name)) {
                assertThat(user).as(name).isEqualTo(owners.getOrDefault(service(name), owners.get("*")));
            }
        });
    }

    /** The step that makes the secrets runs again while services read them. */
    @Test
    void secretsOfServicesThatHaveNotChangedStayAsTheyAre(@TempDir Path directory) throws IOException {
        Secrets secrets = new Secrets(directory);
        secrets.prepare(Map.of());
        ServiceSecrets.writeAll(secrets);
        Map<Path, Object> before = files(directory.resolve("services"));
        assertThat(before).isNotEmpty();
        ServiceSecrets.writeAll(secrets);
        assertThat(files(directory.resolve("services"))).isEqualTo(before);

        Path catalog = directory.resolve("services/catalog");
        Files.writeString(secrets.bootstrapToken(), "another");
        boolean root = Files.getOwner(catalog).getName().equals("root");
        if (root) {
            Files.setOwner(
                    catalog,
                    catalog.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        ServiceSecrets.writeAll(secrets);
        assertThat(catalog.resolve("bootstrap.token")).hasContent("another");
        assertThat(Files.getOwner(catalog.resolve("bootstrap.token"))).isEqualTo(Files.getOwner(catalog));
        Map<Path, Object> after = files(directory.resolve("services"));
        after.remove(catalog.resolve("bootstrap.token"));
        before.remove(catalog.resolve("bootstrap.token"));
        assertThat(after).isEqualTo(before);
    }

    /** Files with what tells them from those that replace them. */
    private static Map<Path, Object> files(Path directory) throws IOException {
        Map<Path, Object> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path file : paths.filter(Files::isRegularFile).toList()) {
                files.put(file, Files.getAttribute(file, "unix:ino"));
            }
        }
        return files;
    }

    private static String service(String container) {
        return container.equals("broker") ? "kafka" : container;
    }

    @Test
    void theOpenVariantOpensEveryService() throws IOException {
        ComposeFile open = compose.open(root);
        for (SingleService each : SingleService.values()) {
            assertThat(open.environment(each.toString()))
                    .as(each.toString())
                    .containsEntry("CORDWOOD_SECRETS", "")
                    .containsEntry("CORDWOOD_INSECURE_OPEN", "true");
            assertThat(open.environment(each.toString()).values())
                    .noneMatch(value -> value.startsWith("https:") || value.startsWith("rediss:"));
        }
        assertThat(Files.readString(root.resolve("docker/compose.open.yaml")))
                .contains("--config.file=/etc/prometheus/prometheus.open.yml");
        Map<String, String> scraped = scraped("prometheus.yml");
        assertThat(scraped)
                .containsEntry("balancer", "balancer:9404")
                .containsEntry("catalog", "catalog:9404")
                .containsEntry("search", "search:9404")
                .containsEntry("gateway", "gateway:9404");
        scraped.putAll(Map.of(
                "balancer",
                "balancer:8090",
                "catalog",
                "catalog:8181",
                "search",
                "search:8095",
                "gateway",
                "gateway:8096"));
        assertThat(scraped("prometheus.open.yml")).isEqualTo(scraped);
    }

    /** What Prometheus asks, by job. */
    private Map<String, String> scraped(String file) throws IOException {
        Map<String, String> targets = new TreeMap<>();
        observability("prometheus/" + file)
                .required("scrape_configs")
                .forEach(job -> targets.put(
                        job.path("job_name").asText(),
                        job.path("static_configs")
                                .path(0)
                                .path("targets")
                                .path(0)
                                .asText()));
        return targets;
    }

    private JsonNode observability(String file) throws IOException {
        return new ObjectMapper()
                .valueToTree(new Yaml()
                        .load(Files.readString(
                                root.resolve("docker/observability").resolve(file))));
    }

    @Test
    void alertsGoToTheAlertmanagerWhoseRoutesLeadToReceivers() throws IOException {
        for (String file : List.of("prometheus.yml", "prometheus.open.yml")) {
            assertThat(observability("prometheus/" + file)
                            .at("/alerting/alertmanagers/0/static_configs/0/targets/0")
                            .asText())
                    .as(file)
                    .isEqualTo("alertmanager:9093");
        }
        assertThat(compose.services().get("alertmanager").path("ports").path(0).asText())
                .endsWith(":9093:9093");
        JsonNode alertmanager = observability("alertmanager/alertmanager.yml");
        assertThat(alertmanager.required("receivers"))
                .extracting(receiver -> receiver.required("name").asText())
                .containsAll(alertmanager.required("route").findValuesAsText("receiver"));
    }

    @Test
    void everyVariableOfAServiceIsAnOption() {
        Set<String> known = options();
        for (SingleService each : SingleService.values()) {
            String name = each.toString();
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
        assertThat(targets).contains("catalog", "flink", "balancer", "trino", "search", "gateway", "broker");
        assertThat(dockerfile)
                .contains("ARG JDK=" + compose.variables().get("JDK_IMAGE") + "\n")
                .contains("ARG BASE=" + compose.variables().get("BASE_IMAGE") + "\n");
        Set<String> probes = probes(dockerfile);
        probes.add(TASK_MANAGER_PROBE);
        assertThat(probes(Files.readString(root.resolve("docker/compose.yaml"))))
                .isEqualTo(probes);
        try (Stream<String> lines = dockerfile.lines()) {
            lines.filter(line -> line.startsWith("COPY ") && !line.contains("--from") && !line.contains(" . ."))
                    .map(line -> line.replaceAll("--\\S+ ", "").split(" ", -1)[1])
                    .forEach(source -> assertThat(root.resolve(source)).exists());
        }
    }

    @Test
    void notebooksAreToldWhereTheContainersAre() throws IOException {
        JsonNode addresses = new ObjectMapper()
                .readTree(root.resolve("docker/notebooks/endpoints.json").toFile());
        assertThat(addresses.path("warehouse").asText())
                .isEqualTo(compose.environment("catalog").get("CORDWOOD_WAREHOUSE"));
        addresses.properties().stream()
                .filter(address -> !address.getKey().equals("warehouse"))
                .forEach(address -> {
                    String host = address.getValue()
                            .asText()
                            .replaceFirst("^[a-z]+://", "")
                            .replaceFirst(":.*", "");
                    assertThat(compose.services()).containsKey(host);
                });
        assertThat(addresses.fieldNames())
                .toIterable()
                .containsExactly(
                        "kafka",
                        "redis",
                        "catalog",
                        "flink",
                        "compaction",
                        "balancer",
                        "trino",
                        "search",
                        "gateway",
                        "warehouse");
    }

    /** Variables that services take. */
    static Set<String> options() {
        return new CommandLine(new ServiceCommand())
                .getCommandSpec().options().stream()
                        .map(option -> SingleService.variable(option.longestName()))
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> probes(String text) {
        return PROBED.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }
}

package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.service.SingleService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * What can be said of the Helm chart without Helm: of the manifests in {@code docker/kubernetes} that it renders with
 * its default values. That they are what it renders now, {@code docker/validate} checks.
 */
final class KubernetesFilesTest {
    private static final Set<String> POD_KINDS = Set.of("Deployment", "StatefulSet");

    private final Path root = Program.root();

    private List<JsonNode> kubernetes(String... names) throws IOException {
        List<JsonNode> resources = new ArrayList<>();
        for (String name : names) {
            for (Object document : new Yaml()
                    .loadAll(Files.readString(root.resolve("docker/kubernetes").resolve(name)))) {
                if (document != null) {
                    resources.add(new ObjectMapper().valueToTree(document));
                }
            }
        }
        return resources;
    }

    private Map<String, Object> chart(String name) throws IOException {
        return new Yaml()
                .load(Files.readString(root.resolve("docker/helm/cordwood").resolve(name)));
    }

    @Test
    void theChartHasTheVersionOfTheImages() throws IOException {
        String version = Files.readAllLines(root.resolve("docker/.env")).stream()
                .filter(line -> line.startsWith("CORDWOOD_VERSION="))
                .findFirst()
                .orElseThrow()
                .replaceFirst(".*=", "");
        assertThat(chart("Chart.yaml")).containsEntry("version", version).containsEntry("appVersion", version);
    }

    /** So that a setting of an unknown service is refused, and none is without settings. */
    @Test
    void theChartHasSettingsForEachServiceAndNoOther() throws IOException {
        Set<String> services = Stream.of(SingleService.values())
                .map(SingleService::toString)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(chart("services.yaml").keySet()).containsExactlyInAnyOrderElementsOf(services);
        assertThat(chart("values.yaml").get("services"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsOnlyKeys(services);
        JsonNode schema = new ObjectMapper()
                .readTree(
                        root.resolve("docker/helm/cordwood/values.schema.json").toFile());
        JsonNode settings = schema.required("properties").required("services");
        assertThat(settings.required("properties").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrderElementsOf(services);
        assertThat(settings.required("additionalProperties").asBoolean(true)).isFalse();
    }

    @Test
    void podsRunTheSameImagesAndProbesAsCompose() throws IOException {
        String dockerfile = Files.readString(root.resolve("docker/Dockerfile"));
        Set<String> variables = DeploymentFilesTest.options();
        int services = 0;
        for (JsonNode resource : kubernetes("settings.yaml", "services.yaml", "redis.yaml")) {
            String kind = resource.required("kind").asText();
            if (kind.equals("ConfigMap")) {
                resource.required("data")
                        .fieldNames()
                        .forEachRemaining(variable -> assertThat(variable)
                                .satisfiesAnyOf(
                                        name -> assertThat(variables).contains(name),
                                        name -> assertThat(name).startsWith("AWS_")));
            }
            assertThat(kind).as("credentials are made before").isNotEqualTo("Secret");
            JsonNode pod = resource.path("spec").path("template").path("spec");
            JsonNode container = pod.path("containers").path(0);
            String image = container.path("image").asText();
            if (POD_KINDS.contains(kind)) {
                assertThat(image).matches(DeploymentFilesTest.PINNED);
                assertThat(pod.path("securityContext").path("runAsNonRoot").asBoolean())
                        .isTrue();
                assertThat(container
                                .path("securityContext")
                                .path("readOnlyRootFilesystem")
                                .asBoolean())
                        .as(image)
                        .isTrue();
                assertThat(container
                                .path("resources")
                                .path("limits")
                                .path("memory")
                                .asText())
                        .isNotEmpty();
            }
            if (image.startsWith("cordwood/")) {
                services++;
                String name = container.path("args").path(0).asText();
                // A worker is a command of its coordinator's image, and so are all that run in Flink
                String target = name.equals("compaction") ? "flink" : name.replaceFirst("-.*", "");
                assertThat(dockerfile).contains(" AS " + target + "\n");
                assertThat(image).contains("/" + target + ":");
                assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
                for (JsonNode variable : container.path("env")) {
                    assertThat(variable.path("name").asText())
                            .satisfiesAnyOf(
                                    option -> assertThat(option).isEqualTo("POD"),
                                    option -> assertThat(variables).contains(option),
                                    option -> assertThat(option)
                                            .isEqualTo("CORDWOOD_%s_JAVA_OPTIONS"
                                                    .formatted(name.toUpperCase(Locale.ROOT)
                                                            .replace('-', '_'))));
                }
                for (String probe : List.of("readinessProbe", "startupProbe", "livenessProbe")) {
                    JsonNode command = container.path(probe).path("exec").path("command");
                    if (name.equals("flink-taskmanager")) {
                        assertThat(command.path(1).asText()).isEqualTo("9404");
                        continue;
                    }
                    assertThat(dockerfile.replace("\\\"", "\""))
                            .contains("CMD [\"%s\", \"%s\", \"%s\", \"%s\"]"
                                    .formatted(
                                            command.path(0).asText(),
                                            command.path(1).asText(),
                                            command.path(2).asText(),
                                            command.path(3).asText()));
                }
            }
        }
        assertThat(services).isEqualTo(SingleService.values().length);
    }

    @Test
    void eachPodHasItsOwnSecretAndLetsInWhoIsNamed() throws IOException {
        Set<String> policies = new TreeSet<>();
        for (JsonNode policy : kubernetes("network.yaml")) {
            assertThat(policy.path("spec").path("policyTypes").path(0).asText()).isEqualTo("Ingress");
            policies.add(policy.path("metadata").path("name").asText());
            // Nobody is let in by an empty rule
            policy.path("spec")
                    .path("ingress")
                    .forEach(rule -> assertThat(rule.path("from").size()).isPositive());
        }
        assertThat(policies).contains("nobody");
        int pods = 0;
        for (JsonNode resource : kubernetes("settings.yaml", "services.yaml", "redis.yaml")) {
            assertThat(resource.toString())
                    .doesNotContain("CORDWOOD_INSECURE_OPEN", "secretRef", "secretKeyRef", "http://catalog");
            if (POD_KINDS.contains(resource.path("kind").asText())) {
                pods++;
                String name = resource.path("metadata").path("name").asText();
                JsonNode pod = resource.path("spec").path("template");
                assertThat(pod.path("metadata")
                                .path("labels")
                                .path("app.kubernetes.io/part-of")
                                .asText())
                        .as("whom the policy nobody selects")
                        .isEqualTo("cordwood");
                assertThat(pod.path("spec").path("volumes").toString())
                        .contains("{\"secretName\":\"cordwood-service-%s\",".formatted(name));
                assertThat(pod.path("spec")
                                .path("containers")
                                .path(0)
                                .path("volumeMounts")
                                .toString())
                        .contains("\"mountPath\":\"/secrets\",\"readOnly\":true");
                if (!name.equals("compaction")) {
                    assertThat(policies).contains(name);
                }
            }
        }
        assertThat(pods).isEqualTo(SingleService.values().length + 1);
        assertThat(kubernetes("kafka.yaml").toString())
                .contains("scram-sha-512", "\"tls\":true", "\"authorization\":{\"type\":\"simple\"}")
                .doesNotContain("\"tls\":false");
    }

    @Test
    void theUserOperatorReplacesNoSecretAndLimitsNoUserBeforeTheBalancer() throws IOException {
        List<JsonNode> resources = kubernetes("services.yaml", "redis.yaml", "kafka.yaml");
        Set<String> secrets = resources.stream()
                .flatMap(resource -> Stream.concat(
                        resource.findValuesAsText("secretName").stream(),
                        resource.findValues("secretKeyRef").stream()
                                .map(reference -> reference.path("name").asText())))
                .collect(Collectors.toSet());
        assertThat(secrets).contains("cordwood-service-balancer", "cordwood-service-kafka", "cordwood-kafka-passwords");
        List<JsonNode> users = resources.stream()
                .filter(resource -> resource.path("kind").asText().equals("KafkaUser"))
                .toList();
        assertThat(users).isNotEmpty().allSatisfy(user -> {
            assertThat(secrets)
                    .as("Strimzi writes the login of a user to a secret of its name")
                    .doesNotContain(user.path("metadata").path("name").asText());
            assertThat(user.path("spec").has("quotas")).isFalse();
        });
        assertThat(resources)
                .filteredOn(resource -> resource.path("kind").asText().equals("Kafka"))
                .singleElement()
                .satisfies(kafka -> assertThat(kafka.path("spec")
                                .path("kafka")
                                .path("quotas")
                                .path("producerByteRate")
                                .asLong())
                        .isEqualTo(64 << 20));
    }

    @Test
    void certificatesNameWhatClientsOfOtherNamespacesReach() throws IOException {
        Set<String> reached = kubernetes("network.yaml").stream()
                .filter(policy -> policy.toString().contains("cordwood-clients"))
                .map(policy -> policy.path("metadata").path("name").asText())
                .collect(Collectors.toSet());
        assertThat(reached).containsExactlyInAnyOrder("catalog", "trino", "balancer", "search", "gateway", "redis");
        String page = Files.readString(root.resolve("docs/operate/deploying.md"));
        assertThat(page).contains("--host=kafka=cordwood-kafka-bootstrap.cordwood.svc");
        reached.forEach(name -> assertThat(page).contains("--host=%s.cordwood.svc".formatted(name)));
    }
}

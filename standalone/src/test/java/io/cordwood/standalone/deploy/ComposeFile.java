package io.cordwood.standalone.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/**
 * {@code docker/compose.yaml} with the values of {@code docker/.env}. Immutable.
 *
 * @param variables what {@code .env} says
 * @param services the services as Compose sees them, by name
 */
public record ComposeFile(Map<String, String> variables, Map<String, JsonNode> services) {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([A-Z0-9_]+)\\}");

    /**
     * Reads both files.
     *
     * @throws IllegalArgumentException if a variable has no value
     */
    public static ComposeFile read(Path root) throws IOException {
        Map<String, String> variables = new TreeMap<>();
        for (String line : Files.readAllLines(root.resolve("docker/.env"))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split("=", 2);
                variables.put(parts[0], parts[1]);
            }
        }
        return new ComposeFile(
                Map.copyOf(variables), Map.copyOf(services(root.resolve("docker/compose.yaml"), variables)));
    }

    private static Map<String, JsonNode> services(Path file, Map<String, String> variables) throws IOException {
        String text = REFERENCE
                .matcher(Files.readString(file))
                .replaceAll(reference -> Matcher.quoteReplacement(value(variables, reference.group(1))));
        Map<String, JsonNode> services = new TreeMap<>();
        JsonNode compose = new ObjectMapper().valueToTree(new Yaml().load(text));
        compose.required("services")
                .properties()
                .forEach(service -> services.put(service.getKey(), service.getValue()));
        return services;
    }

    /**
     * The same with the variables of {@code docker/compose.open.yaml}, as Compose merges them.
     *
     * @throws IllegalArgumentException if that file changes a service that there is not
     */
    public ComposeFile open(Path root) throws IOException {
        Map<String, JsonNode> open = new TreeMap<>(services);
        services(root.resolve("docker/compose.open.yaml"), variables).forEach((name, change) -> {
            if (!services.containsKey(name)) {
                throw new IllegalArgumentException("docker/compose.yaml has no service " + name);
            }
            ObjectNode service = services.get(name).deepCopy();
            service.withObject("/environment").setAll(change.withObject("/environment"));
            open.put(name, service);
        });
        return new ComposeFile(variables, Map.copyOf(open));
    }

    private static String value(Map<String, String> variables, String name) {
        if (!variables.containsKey(name)) {
            throw new IllegalArgumentException("docker/.env does not say " + name);
        }
        return variables.get(name);
    }

    /** The environment of a service. */
    public Map<String, String> environment(String service) {
        Map<String, String> environment = new TreeMap<>();
        services.get(service)
                .path("environment")
                .properties()
                .forEach(variable ->
                        environment.put(variable.getKey(), variable.getValue().asText()));
        return environment;
    }
}

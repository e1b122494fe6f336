package io.cordwood.standalone.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
        String text = REFERENCE
                .matcher(Files.readString(root.resolve("docker/compose.yaml")))
                .replaceAll(reference -> Matcher.quoteReplacement(value(variables, reference.group(1))));
        Map<String, JsonNode> services = new TreeMap<>();
        JsonNode compose = new ObjectMapper().valueToTree(new Yaml().load(text));
        compose.required("services")
                .properties()
                .forEach(service -> services.put(service.getKey(), service.getValue()));
        return new ComposeFile(Map.copyOf(variables), Map.copyOf(services));
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

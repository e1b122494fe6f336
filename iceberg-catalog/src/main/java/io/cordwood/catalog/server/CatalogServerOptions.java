package io.cordwood.catalog.server;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.io.LocalFileIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The command-line options of the service. Immutable.
 *
 * @param host address to listen on
 * @param port port to listen on; 0 for a free one
 * @param jdbcUrl database: {@code jdbc:sqlite:<file>} or {@code jdbc:postgresql:..}
 * @param warehouse URI under which tables without a location of their own are created
 * @param catalogProperties further properties of Iceberg's catalog, for instance {@code io-impl}
 */
public record CatalogServerOptions(
        String host, int port, String jdbcUrl, String warehouse, Map<String, String> catalogProperties) {
    static final String USAGE = """
            Usage: CatalogServer --jdbc-url URL --warehouse URI [--host HOST] [--port PORT] [--property NAME=VALUE]...
              --jdbc-url       jdbc:sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=..&password=..
              --jdbc-url-file  a file that holds it: others of the machine can read a command line
              --warehouse      where tables are made: a directory or a URI
              --host           address to listen on (default 127.0.0.1)
              --port           port to listen on (default 8181; 0 for a free one)
              --property       a property of Iceberg's catalog, for instance io-impl=org.apache.iceberg.aws.s3.S3FileIO""";

    private static final int DEFAULT_PORT = 8181;

    public CatalogServerOptions {
        requireNonNull(host, "host is null");
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("Port %d is not between 0 and 65535".formatted(port));
        }
        if (!jdbcUrl.startsWith("jdbc:sqlite:") && !jdbcUrl.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "JDBC URL '%s' begins with neither jdbc:sqlite: nor jdbc:postgresql:".formatted(jdbcUrl));
        }
        if (!warehouse.contains(":")) {
            warehouse = LocalFileIO.location(Path.of(warehouse));
        }
        catalogProperties = Map.copyOf(catalogProperties);
    }

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException if it is invalid, with a message for the user
     */
    static CatalogServerOptions parse(String[] arguments) {
        Map<String, String> options = new HashMap<>();
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String option = arguments[i];
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException("Option %s has no value".formatted(option));
            }
            String value = arguments[i + 1];
            switch (option) {
                case "--jdbc-url", "--jdbc-url-file", "--warehouse", "--host", "--port" -> options.put(option, value);
                case "--property" -> {
                    int equals = value.indexOf('=');
                    if (equals < 1) {
                        throw new IllegalArgumentException("Property '%s' is not NAME=VALUE".formatted(value));
                    }
                    properties.put(value.substring(0, equals), value.substring(equals + 1));
                }
                default -> throw new IllegalArgumentException("Unknown option %s".formatted(option));
            }
        }
        return new CatalogServerOptions(
                options.getOrDefault("--host", "127.0.0.1"),
                port(options.get("--port")),
                jdbcUrl(options),
                required(options, "--warehouse"),
                properties);
    }

    private static String jdbcUrl(Map<String, String> options) {
        String file = options.get("--jdbc-url-file");
        if (file == null) {
            return required(options, "--jdbc-url");
        }
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("Option --jdbc-url-file: cannot read %s".formatted(file), e);
        }
    }

    private static int port(String value) {
        try {
            return value == null ? DEFAULT_PORT : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Port '%s' is not a number".formatted(value), e);
        }
    }

    private static String required(Map<String, String> options, String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException("Option %s is missing".formatted(name));
        }
        return value;
    }
}

package io.cordwood.catalog.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Small JSON objects in the warehouse that tell what the backup of a database lacks. They lie in a directory of {@code
 * ~cordwood}, which is the schema name of no tenant. Thread-safe.
 */
final class RecoveryObjects {
    private static final String PARENT = "~cordwood";
    private static final String SUFFIX = ".json";

    private final FileIO io;
    private final String directory;

    /** @param directory name of the directory */
    RecoveryObjects(FileIO io, String warehouse, String directory) {
        this.io = io;
        this.directory = "%s/%s/%s".formatted(warehouse.replaceFirst("/+$", ""), PARENT, directory);
    }

    /** Writes an object, or replaces it. */
    void put(String name, JsonNode json) {
        String location = "%s/%s%s".formatted(directory, name, SUFFIX);
        try (OutputStream out = io.newOutputFile(location).createOrOverwrite()) {
            out.write(Json.bytes(json));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + location, e);
        }
    }

    /**
     * All objects by name.
     *
     * @param parser reads the JSON of one
     * @throws IllegalArgumentException if one is damaged
     */
    <T> Map<String, T> all(Function<JsonNode, T> parser) {
        Map<String, T> objects = new TreeMap<>();
        for (FileInfo file : ((SupportsPrefixOperations) io).listPrefix(directory + "/")) {
            String name = file.location().substring(file.location().lastIndexOf('/') + 1);
            if (name.endsWith(SUFFIX)) {
                objects.put(name.substring(0, name.length() - SUFFIX.length()), read(file.location(), parser));
            }
        }
        return objects;
    }

    private <T> T read(String location, Function<JsonNode, T> parser) {
        try (InputStream in = io.newInputFile(location).newStream()) {
            return parser.apply(Json.parse(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + location, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s is damaged: %s".formatted(location, e.getMessage()), e);
        }
    }
}

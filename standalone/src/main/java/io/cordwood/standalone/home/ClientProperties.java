package io.cordwood.standalone.home;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Files with Kafka client properties, in the format of Kafka's own tools. */
public final class ClientProperties {
    private ClientProperties() {}

    /** Reads a file. @throws CordwoodException if it cannot be read */
    public static Properties load(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return properties;
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s: %s".formatted(file, Errors.text(e)), e);
        }
    }
}

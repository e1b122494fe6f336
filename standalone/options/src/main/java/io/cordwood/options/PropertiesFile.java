package io.cordwood.options;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The content of a file of properties, read when the option is. Immutable, thread-safe.
 *
 * @param values values by name
 */
public record PropertiesFile(Map<String, String> values) {
    /** No file. */
    public static final PropertiesFile NONE = new PropertiesFile(Map.of());

    public PropertiesFile {
        values = Map.copyOf(values);
    }

    /** A copy for programs that take {@link Properties}. */
    public Properties properties() {
        Properties properties = new Properties();
        properties.putAll(values);
        return properties;
    }

    /** Reads the file of that path. */
    public static final class Converter implements ITypeConverter<PropertiesFile> {
        Converter() {}

        @Override
        public PropertiesFile convert(String path) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(Path.of(path))) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new TypeConversionException("cannot read %s: %s".formatted(path, e));
            }
            return new PropertiesFile(properties.stringPropertyNames().stream()
                    .collect(Collectors.toMap(name -> name, properties::getProperty)));
        }
    }
}

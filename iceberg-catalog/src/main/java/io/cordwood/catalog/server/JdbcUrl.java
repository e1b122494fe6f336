package io.cordwood.catalog.server;

import io.cordwood.options.Checked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The database of the service, as an option. Immutable, thread-safe. */
public final class JdbcUrl extends Checked<String> {
    JdbcUrl() {
        super("a jdbc:sqlite: or jdbc:postgresql: URL");
    }

    @Override
    protected Optional<String> read(String text) {
        return text.startsWith("jdbc:sqlite:") || text.startsWith("jdbc:postgresql:")
                ? Optional.of(text)
                : Optional.empty();
    }

    /** Reads the URL from a file, because every user of the machine can read a command line. */
    public static final class File implements ITypeConverter<String> {
        @Override
        public String convert(String path) {
            try {
                return new JdbcUrl().convert(Files.readString(Path.of(path)).strip());
            } catch (IOException e) {
                throw new TypeConversionException("cannot read %s: %s".formatted(path, e));
            }
        }
    }
}

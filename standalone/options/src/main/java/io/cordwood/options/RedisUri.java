package io.cordwood.options;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The address of a Redis. Immutable, thread-safe. */
public final class RedisUri extends Checked<URI> {
    private static final Set<String> SCHEMES = Set.of("redis", "rediss");

    RedisUri() {
        super("an address such as redis://127.0.0.1:6379");
    }

    @Override
    protected Optional<URI> read(String text) {
        try {
            URI uri = new URI(text);
            boolean valid = uri.getScheme() != null
                    && SCHEMES.contains(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getPort() > 0;
            return valid ? Optional.of(uri) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Reads the address from the file of that path. Its content, which may have a password, is in no message. */
    public static final class InFile implements ITypeConverter<URI> {
        InFile() {}

        @Override
        public URI convert(String path) {
            try {
                return new RedisUri()
                        .read(Files.readString(Path.of(path)).strip())
                        .orElseThrow(() -> new TypeConversionException(
                                "%s does not hold an address such as redis://user:password@127.0.0.1:6379"
                                        .formatted(path)));
            } catch (IOException e) {
                throw new TypeConversionException("cannot read %s: %s".formatted(path, e));
            }
        }
    }
}

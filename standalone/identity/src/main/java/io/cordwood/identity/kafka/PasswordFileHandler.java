package io.cordwood.identity.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.scram.ScramExtensionsCallback;

/**
 * Logs in to Kafka with the password in a file, read at each login: a client that reconnects takes the password of that
 * time, and needs no restart. {@code sasl.client.callback.handler.class} names this class, and {@code sasl.jaas.config}
 * has the user as {@code username} and the file as {@value #FILE}. Where there is no such file, as on another machine,
 * its {@code password} is used. Thread-safe once configured.
 */
public final class PasswordFileHandler implements AuthenticateCallbackHandler {
    /** The option in {@code sasl.jaas.config}. */
    public static final String FILE = "passwordFile";

    private volatile Map<String, ?> options = Map.of();

    public PasswordFileHandler() {}

    @Override
    public void configure(Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> entries) {
        options = entries.getFirst().getOptions();
    }

    @Override
    public void handle(Callback[] callbacks) throws IOException, UnsupportedCallbackException {
        for (Callback callback : callbacks) {
            if (callback instanceof NameCallback name) {
                name.setName(option("username").orElse(name.getDefaultName()));
            } else if (callback instanceof PasswordCallback password) {
                password.setPassword(password().toCharArray());
            } else if (!(callback instanceof ScramExtensionsCallback)) {
                // Of extensions none are sent
                throw new UnsupportedCallbackException(callback, "This is for SCRAM");
            }
        }
    }

    private String password() throws IOException {
        Optional<Path> file = option(FILE).map(Path::of).filter(Files::isReadable);
        if (file.isPresent()) {
            String password = Files.readString(file.get()).strip();
            if (password.isEmpty()) {
                // Kafka's SCRAM would fail with an error that names nothing
                throw new IOException("The password file %s is empty".formatted(file.get()));
            }
            return password;
        }
        return option("password")
                .orElseThrow(() -> new IOException(
                        "sasl.jaas.config has neither a password nor a %s that can be read".formatted(FILE)));
    }

    private Optional<String> option(String name) {
        return Optional.ofNullable((String) options.get(name));
    }

    @Override
    public void close() {}
}

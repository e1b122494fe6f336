package io.cordwood.identity.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.security.authenticator.CredentialCache;
import org.apache.kafka.common.security.scram.ScramCredential;
import org.apache.kafka.common.security.scram.ScramLoginModule;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient;
import org.apache.kafka.common.security.scram.internals.ScramSaslServer;
import org.apache.kafka.common.security.scram.internals.ScramServerCallbackHandler;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in by SCRAM, as a client of Kafka and its broker do, while the password is replaced. */
final class PasswordFileHandlerTest {
    private static final ScramMechanism SCRAM = ScramMechanism.SCRAM_SHA_512;
    private static final String USER = "cordwood-ingest";

    @TempDir
    private Path directory;

    private Path file;
    private CredentialCache.Cache<ScramCredential> credentials;

    @BeforeEach
    void prepare() throws Exception {
        file = directory.resolve("password");
        credentials = new CredentialCache().createCache(SCRAM.mechanismName(), ScramCredential.class);
        brokerTakes("one");
        Files.writeString(file, "one\n");
    }

    private void brokerTakes(String password) throws Exception {
        credentials.put(USER, new ScramFormatter(SCRAM).generateCredential(password, SCRAM.minIterations()));
    }

    private static PasswordFileHandler handler(Map<String, String> options) {
        PasswordFileHandler handler = new PasswordFileHandler();
        Map<String, String> all = new HashMap<>(options);
        all.put("username", USER);
        handler.configure(
                Map.of(),
                SCRAM.mechanismName(),
                List.of(new AppConfigurationEntry(
                        ScramLoginModule.class.getName(), AppConfigurationEntry.LoginModuleControlFlag.REQUIRED, all)));
        return handler;
    }

    private PasswordFileHandler ofFile() {
        return handler(Map.of(PasswordFileHandler.FILE, file.toString()));
    }

    /** The user that the broker knows after the login. */
    private String login(PasswordFileHandler handler) throws Exception {
        ScramServerCallbackHandler callbacks =
                new ScramServerCallbackHandler(credentials, new DelegationTokenCache(ScramMechanism.mechanismNames()));
        callbacks.configure(Map.of(), SCRAM.mechanismName(), List.of());
        ScramSaslClient client = new ScramSaslClient(SCRAM, handler);
        ScramSaslServer server = new ScramSaslServer(SCRAM, Map.of(), callbacks);
        byte[] message = client.evaluateChallenge(new byte[0]);
        while (!client.isComplete()) {
            message = client.evaluateChallenge(server.evaluateResponse(message));
        }
        return server.getAuthorizationID();
    }

    @Test
    void eachLoginTakesThePasswordOfItsTime() throws Exception {
        PasswordFileHandler handler = ofFile();
        assertThat(login(handler)).isEqualTo(USER);
        brokerTakes("two");
        assertThatThrownBy(() -> login(handler)).as("the file has the old one").isInstanceOf(SaslException.class);
        Files.writeString(file, "two\n");
        assertThat(login(handler)).isEqualTo(USER);
    }

    @Test
    void garbageInTheFileIsForgottenWithTheNextPassword() throws Exception {
        PasswordFileHandler handler = ofFile();
        Files.writeString(file, "garbage");
        assertThatThrownBy(() -> login(handler)).isInstanceOf(SaslException.class);
        Files.writeString(file, "one\n");
        assertThat(login(handler)).isEqualTo(USER);
    }

    @Test
    void anEmptyFileIsAnErrorThatNamesIt() throws Exception {
        Files.writeString(file, "\n");
        assertThatThrownBy(() -> login(ofFile()))
                .isInstanceOf(SaslException.class)
                .rootCause()
                .hasMessage("The password file %s is empty", file);
    }

    @Test
    void theFileGoesBeforeThePasswordInTheProperties() throws Exception {
        PasswordFileHandler handler =
                handler(Map.of(PasswordFileHandler.FILE, file.toString(), "password", "of another time"));
        assertThat(login(handler)).isEqualTo(USER);
    }

    @Test
    void withoutTheFileThePasswordInThePropertiesIsTaken() throws Exception {
        PasswordFileHandler handler = handler(Map.of(PasswordFileHandler.FILE, file.toString(), "password", "two"));
        Files.delete(file);
        brokerTakes("two");
        assertThat(login(handler)).isEqualTo(USER);
        assertThat(login(handler(Map.of("password", "two")))).isEqualTo(USER);
    }

    @Test
    void withNeitherTheErrorSaysWhatIsMissing() throws Exception {
        Files.delete(file);
        assertThatThrownBy(() -> login(ofFile()))
                .rootCause()
                .isInstanceOf(IOException.class)
                .hasMessageContaining("neither a password nor a passwordFile");
    }

    @Test
    void itIsForScramAlone() {
        Callback[] other = {new RealmCallback("realm")};
        assertThatThrownBy(() -> ofFile().handle(other)).isInstanceOf(UnsupportedCallbackException.class);
    }
}

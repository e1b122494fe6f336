package io.cordwood.standalone.secret;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.ClientProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/**
 * The logins in Kafka that users of the lake have to ship logs from other machines. Stateless.
 *
 * @param secrets the secrets of the lake, those of Kafka's admin among them
 * @param kafka addresses of Kafka
 */
public record ShipperLogins(Secrets secrets, String kafka) {
    /** Names that are also principals of certificates, CN=.., are not among them: Kafka trusts such a one. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,127}");

    private static final String OWN_PREFIX = "cordwood-";
    /** What Kafka calls a client that has not logged in. */
    private static final String ANYBODY = KafkaPrincipal.ANONYMOUS.getName();

    private static final int TIMEOUT_MILLIS = 10_000;

    /** Whether this user of the machine may change Kafka's users. */
    public boolean mayChange() {
        return !kafka.isEmpty() && Files.isReadable(secrets.kafkaProperties(Account.ADMIN));
    }

    /**
     * Makes the login of a user, or a new one in place of it.
     *
     * @param streams all that it may write to
     * @param bytesPerSecond what it may send to one broker; absent: as much as any other login
     * @return the properties of a client that logs in so. They are secret
     * @throws CordwoodException if Kafka does not answer or the name is not one for a login
     */
    public String make(String user, Collection<String> streams, OptionalLong bytesPerSecond)
            throws InterruptedException {
        if (!isName(user)) {
            throw new CordwoodException(
                    "%s cannot log in to Kafka: a name for that has letters, digits and . _ @ -, and does not begin with %s"
                            .formatted(user, OWN_PREFIX));
        }
        String password = Secrets.random();
        change(users -> users.addProducer(user, password, streams, bytesPerSecond));
        try {
            return "bootstrap.servers=%s%n%s".formatted(kafka, secrets.kafkaClient(user, password));
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s: %s".formatted(secrets.authorities(), Errors.text(e)), e);
        }
    }

    /** Removes the login of a user, if it has one. @throws CordwoodException if Kafka does not answer */
    public void remove(String user) throws InterruptedException {
        if (isName(user)) {
            change(users -> users.remove(user));
        }
    }

    private static boolean isName(String user) {
        return NAME.matcher(user).matches() && !user.startsWith(OWN_PREFIX) && !user.equals(ANYBODY);
    }

    private CordwoodException failed(Throwable cause) {
        return new CordwoodException(
                "cannot change the users of Kafka at %s: %s".formatted(kafka, Errors.text(cause)), cause);
    }

    @FunctionalInterface
    private interface Change {
        void make(KafkaUsers users) throws ExecutionException, InterruptedException;
    }

    private void change(Change change) throws InterruptedException {
        Properties properties = ClientProperties.load(secrets.kafkaProperties(Account.ADMIN));
        properties.put("bootstrap.servers", kafka);
        properties.put("request.timeout.ms", TIMEOUT_MILLIS);
        properties.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        try (Admin admin = Admin.create(properties)) {
            change.make(new KafkaUsers(admin));
        } catch (ExecutionException e) {
            throw failed(e.getCause());
        } catch (KafkaException e) {
            throw failed(e);
        }
    }
}

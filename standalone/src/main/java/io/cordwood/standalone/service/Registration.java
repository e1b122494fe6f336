package io.cordwood.standalone.service;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.ClientProperties;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Makes services that run one by one known where they log in. Repeating it changes nothing. Stateless.
 *
 * @param secrets all secrets of the lake
 */
public record Registration(Secrets secrets) {
    /**
     * Creates the topics, and sets the users of Kafka, their passwords and rules.
     *
     * @param bootstrapServers addresses of Kafka
     * @param client properties of a client that may do so; absent: those of the admin
     * @throws CordwoodException if Kafka does not answer or refuses it
     */
    public void inKafka(String bootstrapServers, Optional<Path> client, List<String> streams, int partitions)
            throws InterruptedException {
        Topics topics = new Topics(
                bootstrapServers,
                ClientProperties.load(client.orElseGet(() -> secrets.kafkaProperties(Account.ADMIN))),
                streams,
                partitions);
        topics.createInExternalKafka();
        try {
            new KafkaAccess(secrets, topics).grant();
        } catch (IOException e) {
            throw new CordwoodException("Kafka at %s: %s".formatted(bootstrapServers, Errors.text(e)), e);
        }
    }

    /**
     * Makes the users of the services and their tokens, and with the first call the first operator.
     *
     * @throws CordwoodException if a file cannot be read
     */
    public void inCatalog(URI catalog) {
        try {
            new ServiceTokens(secrets, catalog).issue();
        } catch (IOException e) {
            throw new CordwoodException(
                    "cannot make the tokens in %s: %s".formatted(secrets.directory(), Errors.text(e)), e);
        }
    }
}

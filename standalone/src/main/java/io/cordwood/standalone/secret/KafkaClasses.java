package io.cordwood.standalone.secret;

import io.cordwood.identity.kafka.PasswordFileHandler;
import io.cordwood.identity.kafka.PemEngines;

/**
 * The settings with which Kafka's clients and brokers read passwords and certificates again when their files change. A
 * process needs Cordwood's classes for it. Stateless.
 */
public final class KafkaClasses {
    private static final String HANDLER = "sasl.client.callback.handler.class";
    private static final String ENGINES = "ssl.engine.factory.class";

    /** They as lines of a file. The file also has the location of the authorities. */
    public static final String LINES = "%s=%s%n%s=%s%n"
            .formatted(HANDLER, PasswordFileHandler.class.getName(), ENGINES, PemEngines.class.getName());

    private KafkaClasses() {}
}

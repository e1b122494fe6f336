package io.cordwood.standalone.secret;

import io.cordwood.identity.kafka.PasswordFileHandler;
import io.cordwood.identity.kafka.PemEngines;
import java.util.Properties;

/**
 * The settings with which Kafka's clients and brokers read passwords and certificates again when their files change. A
 * process needs Cordwood's classes for it. Stateless.
 */
public final class KafkaClasses {
    private static final String HANDLER = "sasl.client.callback.handler.class";
    private static final String ENGINES = "ssl.engine.factory.class";

    /** They as lines of a file. */
    public static final String LINES = "%s=%s%n%s=%s%n"
            .formatted(HANDLER, PasswordFileHandler.class.getName(), ENGINES, PemEngines.class.getName());

    private KafkaClasses() {}

    /** Adds them to the properties of an account. */
    public static Properties addTo(Properties properties) {
        properties.setProperty(HANDLER, PasswordFileHandler.class.getName());
        properties.setProperty(ENGINES, PemEngines.class.getName());
        return properties;
    }
}

package io.cordwood.options;

import java.util.Properties;
import picocli.CommandLine.Option;

/** The options of a Kafka client. */
public final class KafkaFlags {
    @Option(names = "--bootstrap-servers", required = true, paramLabel = "HOST:PORT,...", description = "Kafka brokers")
    private String bootstrapServers;

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            converter = PropertiesFile.Converter.class,
            description = "Kafka client properties: SASL, TLS")
    private PropertiesFile kafkaProperties = PropertiesFile.NONE;

    /** The properties of the client, brokers included. */
    public Properties properties() {
        Properties properties = kafkaProperties.properties();
        properties.setProperty("bootstrap.servers", bootstrapServers);
        return properties;
    }
}

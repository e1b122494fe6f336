package io.cordwood.trino;

import static io.trino.plugin.base.Versions.checkStrictSpiVersionMatch;

import com.google.inject.Injector;
import io.airlift.bootstrap.Bootstrap;
import io.trino.plugin.base.ConnectorContextModule;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import java.util.Map;

/** Builds a connector from the properties of a catalog file. Stateless. */
final class CordwoodConnectorFactory implements ConnectorFactory {
    @Override
    public String getName() {
        return "cordwood";
    }

    @Override
    public Connector create(String catalogName, Map<String, String> config, ConnectorContext context) {
        checkStrictSpiVersionMatch(context, this);
        Bootstrap app = new Bootstrap(
                "io.cordwood.bootstrap.catalog." + catalogName,
                new ConnectorContextModule(catalogName, context),
                new CordwoodModule());
        Injector injector = app.doNotInitializeLogging()
                .disableSystemProperties()
                .setRequiredConfigurationProperties(config)
                .initialize();
        return injector.getInstance(CordwoodConnector.class);
    }
}

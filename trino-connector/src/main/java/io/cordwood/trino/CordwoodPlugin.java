package io.cordwood.trino;

import io.trino.spi.Plugin;
import io.trino.spi.connector.ConnectorFactory;
import java.util.List;
import java.util.Set;

/** Entry point of the plugin: the {@code cordwood} connector and the SQL functions that come with it. Stateless. */
public final class CordwoodPlugin implements Plugin {
    @Override
    public Iterable<ConnectorFactory> getConnectorFactories() {
        return List.of(new CordwoodConnectorFactory());
    }

    @Override
    public Set<Class<?>> getFunctions() {
        return Set.of(
                MatchFunction.class,
                MatchKeywordFunction.class,
                DateBinTimestampFunction.class,
                DateBinTimestampWithTimeZoneFunction.class);
    }
}

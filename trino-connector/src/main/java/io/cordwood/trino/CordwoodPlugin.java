package io.cordwood.trino;

import io.cordwood.trino.function.DateBinTimestampFunction;
import io.cordwood.trino.function.DateBinTimestampWithTimeZoneFunction;
import io.cordwood.trino.function.MatchFunction;
import io.cordwood.trino.function.MatchKeywordFunction;
import io.trino.spi.Plugin;
import io.trino.spi.connector.ConnectorFactory;
import java.util.List;
import java.util.Set;

/** The entry point of the plugin: the {@code cordwood} connector and its SQL functions. Stateless. */
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

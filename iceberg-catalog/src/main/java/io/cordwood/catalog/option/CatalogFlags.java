package io.cordwood.catalog.option;

import io.cordwood.options.HttpUri;
import io.cordwood.options.PropertiesFile;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of a client of the catalog service. */
public final class CatalogFlags {
    @Option(
            names = "--catalog-uri",
            required = true,
            paramLabel = "URL",
            converter = HttpUri.class,
            description = "the catalog service")
    private URI uri;

    @Option(
            names = "--catalog-properties",
            paramLabel = "FILE",
            converter = PropertiesFile.Converter.class,
            description = "properties of the catalog client and of object storage")
    private PropertiesFile properties = PropertiesFile.NONE;

    /** The address of the service. */
    public URI uri() {
        return uri;
    }

    /** The properties of the client. */
    public Map<String, String> properties() {
        return properties.values();
    }
}

package io.cordwood.catalog.server;

import io.cordwood.options.Port;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The service's options on the command line. */
final class CatalogServerFlags {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            converter = JdbcUrl.class,
            description = "jdbc:sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=..&password=..")
    private String jdbcUrl;

    @Option(
            names = "--jdbc-url-file",
            paramLabel = "FILE",
            converter = JdbcUrl.File.class,
            description =
                    "instead of --jdbc-url: a file with that URL, since every user of the machine can read a command line")
    private String jdbcUrlFromFile;

    @Option(
            names = "--warehouse",
            required = true,
            paramLabel = "URI",
            description = "location of new tables: a directory or a URI")
    private String warehouse;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "address to listen on (default: ${DEFAULT-VALUE})")
    private String host;

    @Option(
            names = "--port",
            defaultValue = "8181",
            converter = Port.class,
            description = "port to listen on; 0 for a free one (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--property",
            paramLabel = "NAME=VALUE",
            description = "a property of Iceberg's catalog, such as io-impl=org.apache.iceberg.aws.s3.S3FileIO")
    private Map<String, String> properties = Map.of();

    /** The values. @throws ParameterException unless they name one database */
    CatalogServerOptions options() {
        if ((jdbcUrl == null) == (jdbcUrlFromFile == null)) {
            throw new ParameterException(spec.commandLine(), "give either --jdbc-url or --jdbc-url-file");
        }
        return new CatalogServerOptions(host, port, jdbcUrl == null ? jdbcUrlFromFile : jdbcUrl, warehouse, properties);
    }
}

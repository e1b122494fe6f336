package io.cordwood.standalone;

import io.cordwood.identity.Loopback;
import io.cordwood.options.Port;
import io.cordwood.options.WholeNumber;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.service.ClusterOptions;
import io.cordwood.standalone.service.FlinkService;
import io.cordwood.standalone.service.SingleService;
import io.cordwood.standalone.service.StackOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code service}: runs one service alone. It prints the service's command, quoted for a shell, and
 * {@code bin/cordwood} replaces itself with it. So the service is the container's first process, without a JVM in
 * between.
 */
@Command(
        name = "service",
        description = {
            "Runs one service alone, as in a container, with all others elsewhere.",
            "Each option can also be set by an environment variable, such as CORDWOOD_KAFKA for --kafka."
        },
        defaultValueProvider = ServiceCommand.Environment.class)
final class ServiceCommand implements Callable<Integer> {
    private static final Pattern ADDRESS = Pattern.compile("[^:,/ ]+:[0-9]{1,5}");

    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private StackFlags flags;

    @Parameters(paramLabel = "NAME", description = "one of ${COMPLETION-CANDIDATES}")
    private SingleService service;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "the address to listen on (default: 127.0.0.1)")
    private String bind;

    @Option(
            names = "--port",
            paramLabel = "N",
            converter = Port.class,
            description =
                    "the port (default: catalog 8181, flink 8081, compaction 8082, balancer 8090, trino 8080, trino-worker 8084, search 8095)")
    private Integer port;

    @Option(
            names = "--metrics-port",
            paramLabel = "N",
            converter = Port.class,
            description =
                    "the port for Prometheus, if the service does not serve metrics on its own port (default: flink 9404, compaction 9405, trino 9406, flink-taskmanager 9407, trino-worker 9408; with --secrets catalog 9409, balancer 9410, search 9411)")
    private Integer metricsPort;

    @Option(
            names = "--flink",
            paramLabel = "URL",
            description = "the ingest job's Flink, from which the balancer reads its load (default: none)")
    private String flink;

    @Option(
            names = "--jobmanager",
            paramLabel = "HOST:PORT",
            description =
                    "address of the JobManager; with it, flink starts no TaskManagers of its own; required by flink-taskmanager")
    private String jobManager;

    @Option(
            names = "--slots",
            paramLabel = "N",
            converter = Slots.class,
            description =
                    "subtasks of the ingest job in one flink-taskmanager (default: one for each processor, at most 4)")
    private Integer slots;

    @Option(
            names = "--coordinator",
            paramLabel = "URL",
            description =
                    "address of the coordinator; with it, trino only coordinates separate workers; required by trino-worker")
    private String coordinator;

    @Option(
            names = "--trino",
            paramLabel = "URL",
            description = "the Trino with which the search service answers SQL of agents (default: it answers none)")
    private String trino;

    @Option(
            names = "--address",
            paramLabel = "HOST",
            description =
                    "the name or address under which the coordinator reaches a trino-worker, if it listens on all addresses; with --secrets, one that its certificate has")
    private String address;

    @Option(
            names = "--secrets",
            paramLabel = "DIR",
            description =
                    "the secrets of a lake with authentication: all that `secret init` makes, or those of this service")
    private Path secrets;

    @Option(
            names = "--insecure-open",
            description =
                    "listens on other addresses than loopback without authentication: for networks that nobody else reaches")
    private boolean insecureOpen;

    @Override
    public Integer call() throws Exception {
        ClusterOptions cluster = cluster();
        if (secrets == null && !insecureOpen && !Loopback.is(bind)) {
            throw new CordwoodException(
                    "--bind %s opens the service to others, who would need no identity: give --secrets DIR, or --insecure-open if nobody else reaches the network"
                            .formatted(bind));
        }
        StackOptions options = flags.options();
        Optional<Secrets> own = Optional.ofNullable(secrets).map(Secrets::new);
        if (secrets == null && options.issuer().isPresent()) {
            throw new CordwoodException("--issuer needs --secrets: users log in with it");
        }
        Home home = homeOptions.home();
        home.create();
        String command = service
                .command(
                        home,
                        // Nobody would hand them over when the service has ended
                        Installation.current().withoutNewClasses(),
                        own.map(options::with).orElse(options),
                        bind,
                        Optional.ofNullable(port),
                        Optional.ofNullable(metricsPort),
                        cluster)
                .stream()
                .map(ServiceCommand::quoted)
                .collect(Collectors.joining(" "));
        spec.commandLine()
                .getOut()
                .println(own.map(present -> closed(home, present, command)).orElse(command));
        return 0;
    }

    /** With secrets, Trino reads two files from its working directory; and keys of the S3 store may be a file. */
    private static String closed(Home home, Secrets secrets, String command) {
        return "env -C %s %s%s"
                .formatted(
                        quoted(home.directory().toString()),
                        secrets.s3Credentials()
                                .map(file -> quoted("AWS_SHARED_CREDENTIALS_FILE=" + file) + " ")
                                .orElse(""),
                        command);
    }

    private ClusterOptions cluster() {
        if (jobManager != null && !ADDRESS.matcher(jobManager).matches()) {
            throw new ParameterException(
                    spec.commandLine(), "--jobmanager: '%s' is not HOST:PORT".formatted(jobManager));
        }
        return new ClusterOptions(
                Optional.ofNullable(flink),
                Optional.ofNullable(jobManager),
                Optional.ofNullable(slots),
                Optional.ofNullable(coordinator).map(this::coordinator),
                Optional.ofNullable(trino),
                Optional.ofNullable(address));
    }

    /** The check asks the URI for its host: it has none in {@code trino:8080}, or if the name has an underscore. */
    private URI coordinator(String text) {
        String scheme = secrets == null ? "http" : "https";
        try {
            URI uri = new URI(text);
            if (scheme.equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Reported below
        }
        throw new ParameterException(
                spec.commandLine(), "--coordinator: '%s' is not %s://HOST:PORT".formatted(text, scheme));
    }

    private static String quoted(String argument) {
        return "'" + argument.replace("'", "'\\''") + "'";
    }

    /** The value of an option from the environment. An empty variable counts as absent. */
    static final class Environment implements IDefaultValueProvider {
        @Override
        public String defaultValue(ArgSpec argument) {
            if (!(argument instanceof OptionSpec option)) {
                return null;
            }
            String value = System.getenv(SingleService.variable(option.longestName()));
            return value == null || value.isBlank() ? null : value;
        }
    }

    private static final class Slots extends WholeNumber {
        Slots() {
            super(1, FlinkService.MOST_SUBTASKS);
        }
    }
}

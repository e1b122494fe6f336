package io.cordwood.standalone;

import io.cordwood.catalog.client.CatalogException;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * Cordwood's command line. Every command exits with 0, or prints one line about the error and exits with 1 (2 for wrong
 * usage). The stack trace of an error goes to {@code log/cli.log} of the home.
 */
@Command(
        name = "cordwood",
        description = "A multi-tenant log lake on open standards.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Cordwood.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            UpCommand.class,
            DownCommand.class,
            StatusCommand.class,
            ProduceCommand.class,
            SqlCommand.class,
            SearchCommand.class,
            TailCommand.class,
            CompactCommand.class,
            TenantCommand.class,
            AlertCommand.class,
            UserCommand.class,
            TokenCommand.class,
            SecretCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            VerifyCommand.class,
            ServiceCommand.class
        })
public final class Cordwood implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "log, and print errors with their stack traces")
    private boolean debug;

    private Cordwood() {}

    public static void main(String[] arguments) {
        // Logs are UTF-8, whatever encoding the terminal reports.
        System.exit(run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                arguments));
    }

    /** Runs a command and returns its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        Cordwood cordwood = new Cordwood();
        CommandLine line = new CommandLine(cordwood)
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler((failure, rejected) -> misused(err, failure))
                .setExecutionExceptionHandler((failure, command, parsed) -> cordwood.failed(err, failure, command));
        SearchCommand.takeQueriesLikeOptions(line.getSubcommands().get("search"));
        line.setExecutionStrategy(parsed -> {
            Logging.configure(cordwood.debug);
            return new CommandLine.RunLast().execute(parsed);
        });
        return line.execute(arguments);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }

    private static int misused(PrintWriter err, ParameterException failure) {
        String command = failure.getCommandLine().getCommandSpec().qualifiedName();
        err.printf("cordwood: %s (see %s --help)%n", Errors.text(failure), command);
        return CommandLine.ExitCode.USAGE;
    }

    private int failed(PrintWriter err, Exception failure, CommandLine command) {
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        if (debug) {
            failure.printStackTrace(err);
        }
        Optional<HomeOptions> options = command.getCommandSpec().mixins().values().stream()
                .map(mixin -> mixin.userObject())
                .filter(HomeOptions.class::isInstance)
                .map(HomeOptions.class::cast)
                .findFirst();
        options.ifPresent(present -> Logging.record(present.home(), failure));
        String name = command.getCommandName();
        err.printf("cordwood %s: %s%n", name, isExpected(failure) ? message(failure) : unexpected(failure));
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** A message from elsewhere may have many lines. */
    private static String message(Exception failure) {
        return failure instanceof CatalogException ? Errors.text(failure) : failure.getMessage();
    }

    /** Whether its message says what to do. */
    private static boolean isExpected(Exception failure) {
        return failure instanceof CordwoodException || failure instanceof CatalogException;
    }

    private static String unexpected(Exception failure) {
        return "%s (%s; --debug shows more)"
                .formatted(Errors.text(failure), failure.getClass().getSimpleName());
    }

    /** The version that the build wrote into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Cordwood.class.getPackage().getImplementationVersion();
            return new String[] {"cordwood " + (version == null ? "(not from a jar)" : version)};
        }
    }
}

package io.cordwood.options;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Runs the command of a process: any failure is one line on standard error and a code. Stateless, thread-safe. */
public final class Program {
    private static final Logger LOG = LoggerFactory.getLogger(Program.class);

    private Program() {}

    /**
     * Runs a picocli command.
     *
     * @param name begins the line about a failure
     * @param expected failures that need no stack trace, because their messages say what to do
     * @return the exit code: that of the command, 1 if it failed, 2 if the arguments are wrong
     */
    public static int run(
            String name, Callable<Integer> command, Set<Class<? extends Exception>> expected, String... arguments) {
        return run(name, command, expected, new PrintWriter(System.err, true, StandardCharsets.UTF_8), arguments);
    }

    static int run(
            String name,
            Callable<Integer> command,
            Set<Class<? extends Exception>> expected,
            PrintWriter err,
            String... arguments) {
        return line(command)
                .setErr(err)
                .setParameterExceptionHandler((failure, rejected) -> {
                    err.printf("%s: %s (see --help)%n", name, firstLine(failure));
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    boolean isExpected = expected.stream().anyMatch(type -> type.isInstance(failure));
                    if (!isExpected) {
                        LOG.error("{} failed", name, failure);
                    }
                    err.printf("%s: %s%n", name, isExpected ? failure.getMessage() : failure.toString());
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(arguments);
    }

    private static CommandLine line(Object command) {
        return new CommandLine(command)
                // The last value counts, so that a script can append to a given command.
                .setOverwrittenOptionsAllowed(true)
                // A value may begin with @.
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(true);
    }

    private static String firstLine(ParameterException failure) {
        return failure.getMessage().lines().findFirst().orElse("wrong arguments");
    }

    /**
     * Reads the arguments of a program that must not end its process, since others run there too. Prints the help if it
     * is asked for.
     *
     * @return the command with its options; empty if it printed the help
     * @throws ParameterException if the arguments are wrong
     */
    public static <T> Optional<T> parse(T command, String... arguments) {
        CommandLine line = line(command);
        return CommandLine.executeHelpRequest(line.parseArgs(arguments)) == null
                ? Optional.of(command)
                : Optional.empty();
    }
}

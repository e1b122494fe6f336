package io.cordwood.standalone.process;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the supervisor must know of a service to run it as a process.
 *
 * @param name names the service in files, progress lines and {@code status}
 * @param endpoint where it is reached, for people
 * @param dependencies names of the services that must be ready before this one is started, and are stopped after it
 * @param launch prepares a start (configuration, formatting of storage) and tells the command; called before each start
 * @param probe tells whether the service answers
 * @param whenReady runs each time the service has become ready and before its dependants start; must be idempotent
 * @param stopLimit how long the service may take to end after it was asked to, before it is killed
 */
public record ServiceSpec(
        String name,
        String endpoint,
        Set<String> dependencies,
        Launch launch,
        Probe probe,
        WhenReady whenReady,
        Duration stopLimit) {

    /** A command to start, without a shell. */
    public record Command(List<String> arguments, Map<String, String> environment) {
        public Command {
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }
    }

    /** Prepares a start. */
    @FunctionalInterface
    public interface Launch {
        Command prepare() throws IOException, InterruptedException;
    }

    /** Asks a service whether it is ready; an I/O error means not yet, another exception ends the attempt. */
    @FunctionalInterface
    public interface Probe {
        boolean isReady() throws IOException, InterruptedException;
    }

    /** What is to be done as soon as a service is ready. */
    @FunctionalInterface
    public interface WhenReady {
        void run() throws IOException, InterruptedException;
    }

    public ServiceSpec {
        dependencies = Set.copyOf(dependencies);
    }
}

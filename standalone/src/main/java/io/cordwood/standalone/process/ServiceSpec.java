package io.cordwood.standalone.process;

import io.cordwood.jvm.ClassArchive;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The specification of a service that the supervisor runs as a process.
 *
 * @param name names the service in files, progress lines and {@code status}
 * @param endpoint its address, for display
 * @param dependencies names of the services that must be ready before this one is started, and are stopped after it
 * @param launch prepares a start (configuration, formatting of storage) and returns the command; called before each
 *     start
 * @param probe tells whether the service answers
 * @param whenReady runs each time the service has become ready and before its dependants start; must be idempotent
 * @param stopLimit time for the service to end on request before it is killed, without that to write its classes
 */
public record ServiceSpec(
        String name,
        String endpoint,
        Set<String> dependencies,
        Launch launch,
        Probe probe,
        WhenReady whenReady,
        Duration stopLimit) {

    /**
     * A command to start, without a shell.
     *
     * @param classes the archive that its JVM reads, or writes as it ends; empty if there is none
     */
    public record Command(List<String> arguments, Optional<ClassArchive> classes) {
        public Command {
            arguments = List.copyOf(arguments);
        }

        /** A command without an archive. */
        public Command(List<String> arguments) {
            this(arguments, Optional.empty());
        }
    }

    /** Prepares a start. */
    @FunctionalInterface
    public interface Launch {
        Command prepare() throws IOException, InterruptedException;
    }

    /** Checks whether a service is ready. An I/O error means not yet; any other exception ends the attempt. */
    @FunctionalInterface
    public interface Probe {
        boolean isReady() throws IOException, InterruptedException;
    }

    /** An action to run when a service becomes ready. */
    @FunctionalInterface
    public interface WhenReady {
        void run() throws IOException, InterruptedException;
    }

    public ServiceSpec {
        dependencies = Set.copyOf(dependencies);
    }
}

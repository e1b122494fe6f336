package io.cordwood.standalone.service;

import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Builds the command of a service that is a JVM. Not thread-safe. */
final class JavaCommand {
    private final List<String> options = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final Home home;
    private final String userOptions;

    /** A JVM of the named service; {@code CORDWOOD_NAME_JAVA_OPTIONS} in the environment adds options. */
    JavaCommand(Home home, String name) {
        this.home = home;
        option("-Duser.timezone=UTC");
        option("-Dfile.encoding=UTF-8");
        option("-Djava.io.tmpdir=" + home.temporary());
        option("-XX:+ExitOnOutOfMemoryError");
        option("--enable-native-access=ALL-UNNAMED");
        option("--sun-misc-unsafe-memory-access=allow");
        userOptions = System.getenv(SingleService.variable(name) + "_JAVA_OPTIONS");
    }

    JavaCommand option(String option) {
        options.add(option);
        return this;
    }

    /** Bounds the heap. A JVM starts with a small part of it unless another option sets its initial size. */
    JavaCommand heap(int megabytes) {
        return option("-Xmx" + megabytes + "m");
    }

    /** Log4j 2 with the given configuration file in the home. */
    JavaCommand log4j(LogConfiguration log) {
        return option("-Dlog4j2.configurationFile=" + log.write(home)).option("-Dlog4j2.disableJmx=true");
    }

    /** Trusts the authority of a stack that has secrets. */
    JavaCommand trust(Optional<Secrets> secrets) {
        secrets.ifPresent(own ->
                option("-Djavax.net.ssl.trustStore=" + own.trustStore()).option("-Djavax.net.ssl.trustStoreType=JKS"));
        return this;
    }

    /** Lets the agent serve Prometheus metrics on its port. */
    JavaCommand metrics(MetricsAgent agent, Installation installation, Ports ports) {
        return option(agent.option(installation, home, ports));
    }

    JavaCommand argument(String... more) {
        return arguments(List.of(more));
    }

    /** Adds an option if it has a value. */
    JavaCommand argument(String option, Optional<String> value) {
        return value.map(present -> argument(option, present)).orElse(this);
    }

    /** Adds properties in order, each as {@code --property NAME=VALUE}. */
    JavaCommand properties(Map<String, String> properties) {
        new TreeMap<>(properties).forEach((name, value) -> argument("--property", name + "=" + value));
        return this;
    }

    JavaCommand arguments(List<String> more) {
        arguments.addAll(more);
        return this;
    }

    /** The command that runs the main class of a module, by the module's directory. */
    ServiceSpec.Command run(Installation installation, String module, String mainClass) {
        List<String> command = new ArrayList<>();
        command.add(Installation.java().toString());
        command.addAll(options);
        if (userOptions != null && !userOptions.isBlank()) {
            command.addAll(List.of(userOptions.strip().split("\\s+", -1)));
        }
        command.add("-cp");
        command.add(installation.classPath(module, home));
        command.add(mainClass);
        command.addAll(arguments);
        return new ServiceSpec.Command(command, Map.of());
    }
}

package io.cordwood.standalone.service;

import io.cordwood.jvm.ClassArchive;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Secrets;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Builds the command of a service, or of a program that ends by itself, which is a JVM. Not thread-safe. */
final class JavaCommand {
    /**
     * Options with which a JVM may write its classes. With others it may have an agent or a recording, which it cannot
     * have then, or an archive of its own, or it may not start.
     */
    private static final Pattern FOR_ARCHIVE =
            Pattern.compile("-D.*|-X(m[nsx]|ss|log).*|-XX:(?!.*(AOT|Archive|FlightRecord|Flags=|OptionsFile)).*");

    /** Options that a JVM takes from its environment. */
    private static final List<String> OPTION_VARIABLES =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private final List<String> options = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final Home home;
    private final String name;
    private final Map<String, String> environment;
    /** The argument of the metrics exporter. */
    private Optional<String> exporter = Optional.empty();

    /** A JVM of the named service; {@code CORDWOOD_NAME_JAVA_OPTIONS} in the environment adds options. */
    JavaCommand(Home home, String name) {
        this(home, name, System.getenv());
    }

    JavaCommand(Home home, String name, Map<String, String> environment) {
        this.home = home;
        this.name = name;
        this.environment = environment;
        option("-Duser.timezone=UTC");
        option("-Dfile.encoding=UTF-8");
        option("-Djava.io.tmpdir=" + home.temporary());
        option("-XX:+ExitOnOutOfMemoryError");
        option("--enable-native-access=ALL-UNNAMED");
        option("--sun-misc-unsafe-memory-access=allow");
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

    /** Lets the exporter serve Prometheus metrics on its port. */
    JavaCommand metrics(MetricsExporter component, Ports ports) {
        exporter = Optional.of(component.argument(home, ports));
        return this;
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

    /**
     * The service whose main class is a module's, by the module's directory. It shares classes with its earlier starts.
     */
    ServiceSpec.Command service(Installation installation, String module, String mainClass) {
        String classPath = classPath(installation, module);
        Optional<ClassArchive> classes = archive(installation, classPath);
        List<String> shared = classes.map(ClassArchive::options).orElse(List.of());
        return new ServiceSpec.Command(command(shared, classPath, mainClass), classes);
    }

    /** The command of a program that ends by itself, whose main class is a module's. */
    List<String> program(Installation installation, String module, String mainClass) {
        return command(List.of(), classPath(installation, module), mainClass);
    }

    private List<String> userOptions() {
        return options(SingleService.variable(name) + "_JAVA_OPTIONS");
    }

    /** The options in a variable of the environment. */
    private List<String> options(String variable) {
        return Stream.of(environment.getOrDefault(variable, "").split("\\s+", -1))
                .filter(option -> !option.isEmpty())
                .toList();
    }

    private String classPath(Installation installation, String module) {
        String own = installation.classPath(module);
        return exporter.isPresent() ? own + File.pathSeparator + installation.classPath(MetricsExporter.MODULE) : own;
    }

    private Optional<ClassArchive> archive(Installation installation, String classPath) {
        List<String> given = new ArrayList<>(userOptions());
        OPTION_VARIABLES.forEach(variable -> given.addAll(options(variable)));
        if (!given.stream().allMatch(option -> FOR_ARCHIVE.matcher(option).matches())) {
            return Optional.empty();
        }
        List<String> jvm = Stream.concat(
                        options.stream().filter(option -> option.startsWith("-XX") || option.startsWith("--")),
                        given.stream())
                .toList();
        return ClassArchive.of(installation.classArchives(), name, classPath, jvm)
                .filter(archive -> installation.writesClasses() || !archive.isWritten());
    }

    private List<String> command(List<String> moreOptions, String classPath, String mainClass) {
        List<String> command = new ArrayList<>();
        command.add(Installation.java().toString());
        command.addAll(options);
        command.addAll(moreOptions);
        command.addAll(userOptions());
        command.addAll(List.of("-cp", classPath));
        exporter.ifPresent(argument -> command.addAll(List.of(MetricsExporter.MAIN_CLASS, argument)));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}

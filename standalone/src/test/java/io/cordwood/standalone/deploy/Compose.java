package io.cordwood.standalone.deploy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Docker Compose on {@code docker/compose.yaml}, with images that {@code docker/internal/images} builds from the
 * project. For one thread.
 */
public final class Compose {
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final String PROJECT = "cordwood-test";

    /** Settings of a stack with workers of Flink and Trino. */
    public static final Map<String, String> WITH_WORKERS = Map.of(
            "COMPOSE_PROFILES",
            "core,workers",
            "CORDWOOD_VERSION",
            "test",
            "JOBMANAGER",
            "flink:6123",
            "COORDINATOR",
            "https://trino:8080");

    private final Path root;
    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> command;

    private Compose(Path root, Path directory) throws IOException {
        this.root = root;
        this.directory = directory;
        for (String line : Files.readAllLines(directory.resolve("environment"))) {
            String[] parts = line.split("=", 2);
            environment.put(parts[0], parts[1]);
        }
        command = new ArrayList<>(List.of(
                "docker",
                "compose",
                "--file",
                root.resolve("docker/compose.yaml").toString(),
                "--project-name",
                PROJECT,
                "--progress=plain"));
    }

    /**
     * Builds the images.
     *
     * @param root the directory of the project
     * @param directory where the Docker engine is that this starts if none answers, with its images
     * @param settings variables that win over {@code docker/.env}
     * @throws IOException if there is no Docker engine and none can be started, or an image cannot be built
     */
    public static Compose build(Path root, Path directory, Map<String, String> settings)
            throws IOException, InterruptedException {
        ProcessBuilder builder = images(root, "build", directory);
        builder.environment().putAll(settings);
        Process images = builder.start();
        images.getOutputStream().close();
        try (BufferedReader lines = images.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(System.out::println);
        }
        if (images.waitFor() != 0) {
            images(root, "stop", directory).inheritIO().start().waitFor();
            throw new IOException("docker/internal/images build failed: see above");
        }
        Compose compose = new Compose(root, directory);
        compose.environment.putAll(settings);
        return compose;
    }

    private static ProcessBuilder images(Path root, String verb, Path directory) {
        return new ProcessBuilder(root.resolve("docker/internal/images").toString(), verb, directory.toString())
                .redirectErrorStream(true);
    }

    /** Later commands are about the open stack: that without authentication. */
    public void open() {
        also(root.resolve("docker/compose.open.yaml"));
    }

    /** Later commands are about a cluster: several of each service that may have several. */
    public void cluster() {
        also(root.resolve("docker/compose.cluster.yaml"));
    }

    /** Later commands read this file, too, after those before. */
    public void also(Path file) {
        command.addAll(List.of("--file", file.toString()));
    }

    /** A variable that later commands are told. */
    public void set(String name, String value) {
        environment.put(name, value);
    }

    /** The output of a command of Compose that works. */
    public String run(String... arguments) throws IOException, InterruptedException {
        return output(Stream.concat(command.stream(), Stream.of(arguments)).toList());
    }

    /** Writes the output of a command of Compose that works to a file. */
    public void runTo(Path file, String... arguments) throws IOException, InterruptedException {
        execute(Stream.concat(command.stream(), Stream.of(arguments)).toList(), file);
    }

    /** The output of a command of Docker that works. */
    public String docker(String... arguments) throws IOException, InterruptedException {
        return output(Stream.concat(Stream.of("docker"), Stream.of(arguments)).toList());
    }

    private String output(List<String> arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile("compose", ".out");
        try {
            execute(arguments, out);
            return Files.readString(out);
        } finally {
            Files.delete(out);
        }
    }

    private void execute(List<String> arguments, Path out) throws IOException, InterruptedException {
        Path log = Files.createTempFile("compose", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(arguments)
                    .directory(root.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(log.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            if (process.exitValue() != 0) {
                throw new IOException("%s failed%s:%n%s"
                        .formatted(String.join(" ", arguments), ended ? "" : " after " + LIMIT, Files.readString(log)));
            }
        } finally {
            Files.delete(log);
        }
    }

    /** The containers of a service that run. */
    public List<String> containers(String service) throws IOException, InterruptedException {
        return run("ps", "--quiet", service).lines().toList();
    }

    /** All containers that run. */
    public List<RunningContainer> running() throws IOException, InterruptedException {
        List<String> inspect = new ArrayList<>(List.of(
                "inspect",
                "--format",
                "{{index .Config.Labels \"com.docker.compose.service\"}}\t{{.State.Pid}}\t{{.State.StartedAt}}"
                        + "\t{{range .Mounts}}{{if .RW}}{{.Source}}\t{{end}}{{end}}"));
        inspect.addAll(run("ps", "--quiet").lines().toList());
        return docker(inspect.toArray(String[]::new))
                .lines()
                .map(line -> line.split("\t"))
                .map(parts -> new RunningContainer(
                        parts[0],
                        Long.parseLong(parts[1]),
                        parts[2],
                        Stream.of(parts).skip(3).map(Path::of).toList()))
                .toList();
    }

    /** What {@code docker inspect} says of a container or an image, by a template of Go. */
    public String inspect(String object, String template) throws IOException, InterruptedException {
        return docker("inspect", "--format", template, object).strip();
    }

    /** The number of containers by service that run and are healthy. */
    public Map<String, Long> healthy() throws IOException, InterruptedException {
        return docker(
                        "ps",
                        "--filter",
                        "label=com.docker.compose.project=" + PROJECT,
                        "--filter",
                        "health=healthy",
                        "--format",
                        "{{.Label \"com.docker.compose.service\"}}")
                .lines()
                .collect(Collectors.groupingBy(service -> service, Collectors.counting()));
    }

    /** Whether all containers of the service run, and are healthy. */
    public boolean isHealthy(String service) throws IOException, InterruptedException {
        List<String> containers = containers(service);
        for (String container : containers) {
            if (!inspect(container, "{{.State.Status}} {{.State.Health.Status}}")
                    .equals("running healthy")) {
                return false;
            }
        }
        return !containers.isEmpty();
    }

    /**
     * Ends the process of a container as a crash does.
     *
     * @throws IOException if it is not on this machine, or this user may not
     */
    public void kill(String container) throws IOException, InterruptedException {
        long process = process(container);
        if (!ProcessHandle.of(process).map(ProcessHandle::destroyForcibly).orElse(false)) {
            throw new IOException(
                    "Cannot kill process %d of container %s: run this as root, with an engine on this machine"
                            .formatted(process, container));
        }
    }

    /** Ends a container as the loss of its machine does: it starts again only when it is told to. */
    public void lose(String container) throws IOException, InterruptedException {
        docker("kill", container);
    }

    /** The first process of a container that runs. */
    long process(String container) throws IOException, InterruptedException {
        return Long.parseLong(inspect(container, "{{.State.Pid}}"));
    }

    /** The address of a container that runs, in its only network. */
    String address(String container) throws IOException, InterruptedException {
        return inspect(container, "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}");
    }

    /** Whether the Docker engine is one that {@link #build} started. */
    public boolean hasOwnEngine() throws IOException {
        Path sockets = directory.resolve("engine/sockets");
        return Files.exists(sockets)
                && "unix://%s/docker.sock"
                        .formatted(Files.readString(sockets).strip())
                        .equals(environment.get("DOCKER_HOST"));
    }

    /** Ends the own engine and all containers at once, as a power failure does, and starts the engine again. */
    public void crash() throws IOException, InterruptedException {
        if (images(root, "crash", directory).inheritIO().start().waitFor() != 0) {
            throw new IOException("The Docker engine does not start again");
        }
    }

    /** Removes all containers and volumes, and ends the own engine. */
    public void remove() throws IOException, InterruptedException {
        run("down", "--volumes", "--timeout", "20");
        images(root, "stop", directory).inheritIO().start().waitFor();
    }
}

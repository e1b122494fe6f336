package io.cordwood.services;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program in Go that no registry has in binary form, so that it is built from source once. Thread-safe.
 *
 * <p>It is looked for in the environment variable {@code CORDWOOD_<NAME>}, on PATH, in {@code bin} of {@code GOPATH},
 * and where an earlier run has built it: in {@code cordwood/} of the user's cache directory.
 */
enum GoProgram {
    /** MinIO, which has a security token service. */
    MINIO("github.com/minio/minio", "v0.0.0-20260212201848-7aac2a2c5b7c"),
    /** The gateway of Versity, an S3 store on a directory. */
    VERSITYGW("github.com/versity/versitygw/cmd/versitygw", "v1.8.0"),
    /** The command-line client of Loki. Its module replaces others, which {@code go install} refuses. */
    LOGCLI("github.com/grafana/loki/v3/cmd/logcli", "v3.7.7") {
        @Override
        void compile(Path go, Path into) throws IOException, InterruptedException {
            String build = """
                set -e
                module=$($0 mod download -json github.com/grafana/loki/v3@$1 | sed -n 's/.*"Dir": "//p')
                module=${module%%\\"*}
                cp "$module/go.mod" "$module/go.sum" .
                chmod u+w go.mod go.sum
                # A directory that is in no download: its own module has the same
                $0 mod edit -dropreplace=github.com/grafana/loki/pkg/push go.mod
                $0 build -C "$module" -mod=mod -modfile="$PWD/go.mod" -buildvcs=false -o "$PWD/logcli" ./cmd/logcli
                rm go.mod go.sum
                """;
            LocalPrograms.run(List.of("sh", "-c", build, go.toString(), version()), into);
        }
    },
    /** The Collector of OpenTelemetry, which takes OTLP and ships it: put together by its own builder. */
    OTELCOL("go.opentelemetry.io/collector/cmd/builder", "v0.165.0") {
        @Override
        void compile(Path go, Path into) throws IOException, InterruptedException {
            String build = """
                set -e
                cat >builder.yaml <<END
                dist:
                  module: cordwood/otelcol
                  name: otelcol
                  output_path: ./source
                  go: $0
                receivers:
                  - gomod: go.opentelemetry.io/collector/receiver/otlpreceiver $1
                exporters:
                  - gomod: go.opentelemetry.io/collector/exporter/otlpexporter $1
                  - gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter $1
                providers:
                  - gomod: go.opentelemetry.io/collector/confmap/provider/envprovider v1.71.0
                  - gomod: go.opentelemetry.io/collector/confmap/provider/fileprovider v1.71.0
                END
                $0 run go.opentelemetry.io/collector/cmd/builder@$1 --config builder.yaml
                mv source/otelcol .
                rm -r source builder.yaml
                """;
            LocalPrograms.run(List.of("sh", "-c", build, go.toString(), version()), into);
        }
    };

    private final String source;
    private final String version;

    GoProgram(String source, String version) {
        this.source = source;
        this.version = version;
    }

    /** Its file. @throws IllegalStateException if there is none, and no Go to build it with */
    Path find() throws IOException, InterruptedException {
        return find(System.getenv());
    }

    Path find(Map<String, String> environment) throws IOException, InterruptedException {
        Optional<Path> named = Optional.ofNullable(environment.get(variable())).map(Path::of);
        if (named.isPresent()) {
            return named.filter(Files::isExecutable)
                    .orElseThrow(
                            () -> new IllegalStateException("%s=%s is no program".formatted(variable(), named.get())));
        }
        String home = System.getProperty("user.home");
        Path built = Path.of(environment.getOrDefault("XDG_CACHE_HOME", home + "/.cache"), "cordwood", version);
        Optional<Path> found = LocalPrograms.onPath(label(), environment)
                .or(() -> Stream.of(Path.of(environment.getOrDefault("GOPATH", home + "/go"), "bin"), built)
                        .map(directory -> directory.resolve(label()))
                        .filter(Files::isExecutable)
                        .findFirst());
        return found.isPresent() ? found.get() : build(environment, built);
    }

    private Path build(Map<String, String> environment, Path directory) throws IOException, InterruptedException {
        Path go = LocalPrograms.onPath("go", environment)
                .orElseThrow(() -> new IllegalStateException(
                        "no %s on PATH, and no go to build it with: install it (%s says where it is) or Go"
                                .formatted(label(), variable())));
        Files.createDirectories(directory);
        // Several test runs may want it at once
        try (FileChannel channel = FileChannel.open(
                        directory.resolve(label() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            Path program = directory.resolve(label());
            if (lock.isValid() && !Files.isExecutable(program)) {
                System.out.printf("building %s@%s, which takes minutes%n", source, version);
                Path half = Files.createDirectories(directory.resolve(label() + ".half"));
                compile(go, half);
                Files.move(half.resolve(label()), program, StandardCopyOption.ATOMIC_MOVE);
                Files.delete(half);
            }
            return program;
        }
    }

    /** Builds it into a directory. */
    void compile(Path go, Path into) throws IOException, InterruptedException {
        LocalPrograms.run(List.of("env", "GOBIN=" + into, go.toString(), "install", source + "@" + version), into);
    }

    String version() {
        return version;
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    private String variable() {
        return "CORDWOOD_" + name();
    }
}

package io.cordwood.benchmarks.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Peers that come from PyPI, in a virtual environment that is kept for later runs. Stateless. */
public final class PythonPackages {
    private static final long INSTALL_MINUTES = 10;

    private PythonPackages() {}

    /** The Python that has the package; empty, and one line on standard error, if it cannot be had. */
    public static Optional<Path> find(String name, String version) throws IOException {
        Path environment = Path.of(System.getProperty("java.io.tmpdir"), "cordwood-bench-python");
        Path python = environment.resolve("bin/python");
        if (has(python, name, version)) {
            return Optional.of(python);
        }
        System.err.printf("bench: installing %s %s from PyPI into %s%n", name, version, environment);
        boolean installed = succeeds("python3", "-m", "venv", environment.toString())
                && succeeds(python.toString(), "-m", "pip", "install", "--quiet", name + "==" + version);
        if (installed && has(python, name, version)) {
            return Optional.of(python);
        }
        System.err.printf("bench: no Python 3 with %s here and none to be had from PyPI: left out%n", name);
        return Optional.empty();
    }

    private static boolean has(Path python, String name, String version) throws IOException {
        String check = "import importlib.metadata, sys; sys.exit(importlib.metadata.version('%s') != '%s')"
                .formatted(name, version);
        return Files.isExecutable(python) && succeeds(python.toString(), "-c", check);
    }

    private static boolean succeeds(String... command) throws IOException {
        File nothing = new File("/dev/null");
        Process process;
        try {
            process = new ProcessBuilder(List.of(command))
                    .redirectInput(nothing)
                    .redirectErrorStream(true)
                    .redirectOutput(nothing)
                    .start();
        } catch (IOException notThere) {
            return false;
        }
        try {
            if (process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
                return process.exitValue() == 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
        return false;
    }
}

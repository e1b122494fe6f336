package io.cordwood.benchmarks.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Peers from PyPI, in a virtual environment that is kept for later runs. Stateless. */
public final class PythonPackages {
    private static final long INSTALL_MINUTES = 10;

    private PythonPackages() {}

    /**
     * A Python with the packages; empty, with one line on standard error, if they cannot be installed.
     *
     * @param packages names with versions, {@code NAME==VERSION}
     */
    public static Optional<Path> find(List<String> packages) throws IOException {
        String names = String.join(", ", packages);
        Path environment = Path.of(System.getProperty("java.io.tmpdir"), "cordwood-bench-python");
        Path python = environment.resolve("bin/python");
        if (has(python, packages)) {
            return Optional.of(python);
        }
        System.err.printf("bench: installing %s from PyPI into %s%n", names, environment);
        List<String> install = new ArrayList<>(List.of(python.toString(), "-m", "pip", "install", "--quiet"));
        install.addAll(packages);
        boolean installed = succeeds(List.of("python3", "-m", "venv", environment.toString())) && succeeds(install);
        if (installed && has(python, packages)) {
            return Optional.of(python);
        }
        System.err.printf("bench: no Python 3 with %s here, and PyPI is not available: skipping it%n", names);
        return Optional.empty();
    }

    private static boolean has(Path python, List<String> packages) throws IOException {
        String check = "import importlib.metadata as m, sys; sys.exit(any(m.version(name) != version"
                + " for name, version in (package.split('==') for package in sys.argv[1:])))";
        List<String> command = new ArrayList<>(List.of(python.toString(), "-c", check));
        command.addAll(packages);
        return Files.isExecutable(python) && succeeds(command);
    }

    private static boolean succeeds(List<String> command) throws IOException {
        File nothing = new File("/dev/null");
        Process process;
        try {
            process = new ProcessBuilder(command)
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

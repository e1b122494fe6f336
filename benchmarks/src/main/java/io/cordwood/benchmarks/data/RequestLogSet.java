package io.cordwood.benchmarks.data;

import io.cordwood.benchmarks.run.PythonPackages;
import io.cordwood.benchmarks.run.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The {@code request_log} set with the text of real log lines: a Python program in the resources generates it from a
 * bank of lines. For the whole set there are queries with known answers. Stateless.
 */
final class RequestLogSet {
    /** Number of rows that the queries were chosen for. */
    static final int ROWS = 5_000_000;

    static final int TENANTS = 1000;

    private static final String PROGRAM = "gen.py";
    private static final String REQUIREMENTS = "requirements.txt";
    private static final String QUERIES = "queries.json";

    private RequestLogSet() {}

    /** The generator, while it runs. */
    private record Running(Process process) implements Closeable {
        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /**
     * Generates rows; the same arguments give the same bytes.
     *
     * @param bank lines of {@code service TAB level TAB text}, compressed with xz
     * @return the file of rows, in the scratch directory
     * @throws IOException if there is no Python with the packages, or the program fails
     */
    static Path generate(Scratch scratch, Path bank, int rows, int tenants) throws IOException {
        Path requirements = unpack(REQUIREMENTS, scratch);
        List<String> packages = Files.readAllLines(requirements);
        Path python = PythonPackages.find(packages)
                .orElseThrow(() -> new IOException("rows of real lines need Python 3 with " + packages));
        Path rowsFile = scratch.directory().resolve("request_log");
        Running running = scratch.start(() -> new Running(new ProcessBuilder(
                        python.toString(),
                        unpack(PROGRAM, scratch).toString(),
                        "--rows",
                        Integer.toString(rows),
                        "--tenants",
                        Integer.toString(tenants),
                        "--bank",
                        bank.toAbsolutePath().toString(),
                        "--out",
                        rowsFile.toString())
                .inheritIO()
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()));
        try {
            int code = running.process().waitFor();
            if (code != 0) {
                throw new IOException("%s failed with exit code %d; its output is above".formatted(PROGRAM, code));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while rows were generated", e);
        }
        return Path.of(rowsFile + ".ndjson");
    }

    /** The queries on the whole set. */
    static List<BenchQuery> queries(Scratch scratch) throws IOException {
        return BenchQuery.load(unpack(QUERIES, scratch));
    }

    private static Path unpack(String resource, Scratch scratch) throws IOException {
        Path file = scratch.directory().resolve(resource);
        try (InputStream in = RequestLogSet.class.getResourceAsStream(resource)) {
            Files.writeString(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        return file;
    }
}

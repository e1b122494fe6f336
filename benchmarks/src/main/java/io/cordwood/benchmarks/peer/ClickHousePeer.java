package io.cordwood.benchmarks.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.benchmarks.data.BenchQuery;
import io.cordwood.benchmarks.data.SqlDialect;
import io.cordwood.benchmarks.run.PythonPackages;
import io.cordwood.benchmarks.run.Scratch;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * ClickHouse with a text index, inside a Python process (chDB from PyPI), which measures the time of each query itself.
 * Not thread-safe.
 */
public final class ClickHousePeer implements Peer {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The version of chDB with ClickHouse 26.9, whose text index supports phrases. */
    private static final String VERSION = "4.4.0";

    private static final String PROGRAM = "clickhouse_peer.py";
    private static final SqlDialect DIALECT = SqlDialect.clickHouse("request_log");

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter questions;
    private Loaded loaded;

    /**
     * The cost of loading the rows.
     *
     * @param insertCpuSeconds CPU time until they could be queried
     * @param cpuSeconds CPU time including all merges
     * @param bytes stored bytes, including the index
     */
    public record Loaded(double insertCpuSeconds, double cpuSeconds, long bytes) {}

    private ClickHousePeer(Process process) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.questions = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Loads the rows into a table; empty, with a line on standard error, without Python or chDB.
     *
     * @param ndjson all rows
     */
    public static Optional<ClickHousePeer> start(Scratch scratch, Path ndjson) throws IOException {
        Optional<Path> python = PythonPackages.find(List.of("chdb==" + VERSION));
        if (python.isEmpty()) {
            return Optional.empty();
        }
        Path program = scratch.directory().resolve(PROGRAM);
        try (InputStream in = ClickHousePeer.class.getResourceAsStream(PROGRAM)) {
            Files.copy(in, program);
        }
        ClickHousePeer peer = scratch.start(() -> new ClickHousePeer(new ProcessBuilder(List.of(
                        python.get().toString(),
                        program.toString(),
                        scratch.directory().resolve("clickhouse").toString(),
                        ndjson.toAbsolutePath().toString(),
                        Integer.toString(EnginePeer.THREADS)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()));
        String loaded = peer.answers.readLine();
        if (loaded == null) {
            System.err.println("bench: ClickHouse could not load the rows; skipping it");
            return Optional.empty();
        }
        peer.loaded = JSON.readValue(loaded, Loaded.class);
        return Optional.of(peer);
    }

    public Loaded loaded() {
        return loaded;
    }

    @Override
    public String name() {
        return "clickhouse_text";
    }

    @Override
    public Run ask(BenchQuery query) throws IOException {
        questions.write(JSON.writeValueAsString(
                Map.of("sql", query.sql(DIALECT), "counted", query.template().equals("Q7"))));
        questions.newLine();
        questions.flush();
        JsonNode answer = answer();
        return new Run(
                new Answer(answer.get("rows").asLong(), 0), answer.get("millis").asDouble(), 0);
    }

    private JsonNode answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("ClickHouse ended; its output is above");
        }
        return JSON.readTree(line);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
    }
}

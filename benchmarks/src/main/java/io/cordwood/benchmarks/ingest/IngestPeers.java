package io.cordwood.benchmarks.ingest;

import io.cordwood.benchmarks.data.RequestRow;
import io.cordwood.benchmarks.peer.ClickHousePeer;
import io.cordwood.benchmarks.peer.EnginePeer;
import io.cordwood.benchmarks.peer.LucenePeer;
import io.cordwood.benchmarks.report.Phases;
import io.cordwood.benchmarks.report.Report;
import io.cordwood.benchmarks.run.Directories;
import io.cordwood.benchmarks.run.ProcessUsage;
import io.cordwood.benchmarks.run.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Measures other engines loading the same rows from a file, without a log in front: ClickHouse with a text index,
 * Lucene with its defaults, and DuckDB, which writes Parquet without an index. Not thread-safe.
 */
final class IngestPeers {
    private final Path ndjson;
    private final Report report;
    private final Phases phases;
    private long rows;

    IngestPeers(Path ndjson, Report report, Phases phases) {
        this.ndjson = ndjson;
        this.report = report;
        this.phases = phases;
    }

    void measure(Scratch scratch) throws IOException, SQLException {
        phases.begin("build Lucene's index");
        lucene(scratch.directory().resolve("lucene"));
        phases.begin("write Parquet by DuckDB");
        duckDb(scratch.directory().resolve("duckdb.parquet"));
        phases.begin("load ClickHouse");
        clickHouse(scratch);
    }

    private void lucene(Path directory) throws IOException {
        double begun = ProcessUsage.ofThisProcess().cpuSeconds();
        try (LucenePeer lucene = LucenePeer.in(directory, false)) {
            RequestRow.forEach(ndjson, row -> {
                lucene.add(row);
                rows++;
            });
            lucene.finish();
            report("lucene_bkd", ProcessUsage.ofThisProcess().cpuSeconds() - begun, Directories.size(directory, ""));
        }
    }

    private void duckDb(Path parquet) throws IOException, SQLException {
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            statement.execute("SET threads = " + EnginePeer.THREADS);
            double begun = ProcessUsage.ofThisProcess().cpuSeconds();
            statement.execute("""
                    COPY (SELECT * FROM read_json('%s', format = 'newline_delimited') ORDER BY tenant_id, ts)
                    TO '%s' (FORMAT parquet, COMPRESSION zstd)""".formatted(ndjson.toAbsolutePath(), parquet.toAbsolutePath()));
            report("duckdb_parquet", ProcessUsage.ofThisProcess().cpuSeconds() - begun, Files.size(parquet));
        }
    }

    private void clickHouse(Scratch scratch) throws IOException {
        var clickHouse = ClickHousePeer.start(scratch, ndjson);
        if (clickHouse.isPresent()) {
            try (ClickHousePeer peer = clickHouse.get()) {
                ClickHousePeer.Loaded loaded = peer.loaded();
                report.add("clickhouse_text/insert", "rows_per_cpu_second", rows / loaded.insertCpuSeconds(), "rows/s");
                report("clickhouse_text", loaded.cpuSeconds(), loaded.bytes());
            }
        }
    }

    private void report(String peer, double cpuSeconds, long stored) throws IOException {
        report.add(peer, "rows_per_cpu_second", rows / cpuSeconds, "rows/s");
        report.add(peer, "stored_per_raw", (double) stored / Files.size(ndjson), "ratio");
    }
}

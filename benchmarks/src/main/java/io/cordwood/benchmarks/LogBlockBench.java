package io.cordwood.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.cordwood.logblock.LogBlock;
import io.cordwood.logblock.ReadMetrics;
import io.cordwood.logblock.ReadOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The engine alone: decode, build, and the query set on LogBlocks in local files. */
@Command(
        name = "logblock",
        description = "The engine without Kafka, Flink and Trino: decode, build LogBlocks, query them.",
        mixinStandardHelpOptions = true)
final class LogBlockBench implements Callable<Integer> {
    private static final Map<String, ReadOptions> ABLATIONS = new LinkedHashMap<>();

    static {
        ABLATIONS.put("all", ReadOptions.DEFAULTS);
        ABLATIONS.put("use_index=false", new ReadOptions(false, true, true));
        ABLATIONS.put("use_time_index=false", new ReadOptions(true, false, true));
        ABLATIONS.put("use_statistics=false", new ReadOptions(true, true, false));
    }

    private static final int RUNS = 15;

    @Mixin
    DataSetOptions data;

    @Mixin
    RepeatOption repeat;

    private final Report report = new Report("logblock", System.out);
    private final Phases phases = new Phases(report);

    @Override
    public Integer call() throws Exception {
        data.check();
        try (Scratch scratch = Scratch.create()) {
            phases.begin("prepare rows and answers");
            Path ndjson = data.file(scratch);
            List<BenchQuery> queries = data.queries(scratch);
            Path directory = scratch.directory().resolve("logblocks");
            TenantLogBlocks tenants = new TenantLogBlocks();
            tenants.load(ndjson);
            phases.begin("decode and build");
            int rounds = data.quick ? 2 : 1;
            for (int round = 0; round < rounds; round++) {
                build(tenants, directory, round == rounds - 1);
            }
            query(queries, tenants, directory);
        }
        phases.end();
        report.printTable();
        return 0;
    }

    private void build(TenantLogBlocks tenants, Path directory, boolean reported) throws Exception {
        double start = cpuSeconds();
        int rows = tenants.decode();
        double decoded = cpuSeconds();
        TenantLogBlocks.Written written = tenants.write(directory);
        double built = cpuSeconds();
        if (!reported) {
            return;
        }
        report.add("decode", "rows_per_cpu_second", rows / (decoded - start), "rows/s");
        report.add("build", "rows_per_cpu_second", rows / (built - decoded), "rows/s");
        report.add("decode+build", "rows_per_cpu_second", rows / (built - start), "rows/s");
        report.add("build", "stored_per_raw", (double) written.bytes() / tenants.rawBytes(), "ratio");
        report.add("build", "index_per_raw", (double) written.indexBytes() / tenants.rawBytes(), "ratio");
    }

    private void query(List<BenchQuery> queries, TenantLogBlocks tenants, Path directory) throws IOException {
        phases.begin("queries");
        Map<String, List<LogBlock>> open = new LinkedHashMap<>();
        for (Map.Entry<String, ReadOptions> ablation : ABLATIONS.entrySet()) {
            int right = 0;
            for (BenchQuery query : queries) {
                List<LogBlock> blocks = open.get(query.tenant());
                if (blocks == null) {
                    blocks = open(directory, query.tenant());
                    open.put(query.tenant(), blocks);
                }
                right += measure(query, ablation, tenants, blocks) ? 1 : 0;
            }
            report.add(ablation.getKey(), "answers_right", right, "queries");
            report.add(ablation.getKey(), "answers_total", queries.size(), "queries");
        }
        for (List<LogBlock> blocks : open.values()) {
            for (LogBlock block : blocks) {
                block.close();
            }
        }
    }

    private boolean measure(
            BenchQuery query, Map.Entry<String, ReadOptions> ablation, TenantLogBlocks tenants, List<LogBlock> blocks)
            throws IOException {
        boolean full = ablation.getKey().equals("all");
        int repeats = repeat.runs(RUNS);
        int runs = full ? repeats : 1;
        double[] millis = new double[runs];
        long answer = 0;
        ReadMetrics metrics = new ReadMetrics();
        for (int run = -(full ? repeats : 0); run < runs; run++) {
            metrics = new ReadMetrics();
            long start = System.nanoTime();
            answer = new EngineQuery(query, tenants.schema(query.tenant()), ablation.getValue(), metrics).run(blocks);
            if (run >= 0) {
                millis[run] = (System.nanoTime() - start) / 1e6;
            }
        }
        if (full) {
            String name = query.name() + "/warm";
            report.add(name, "median_ms", Percentiles.of(millis).median(), "ms");
            report.add(name, "p95_ms", Percentiles.of(millis).at(0.95), "ms");
            report.add(name, "bytes_read", (double) metrics.bytesRead.sum(), "bytes");
            report.add(name, "requests", (double) metrics.requests.sum(), "requests");
        }
        if (answer != query.expected()) {
            System.err.printf(
                    "%s with %s: %d, expected %d%n", query.name(), ablation.getKey(), answer, query.expected());
        }
        return answer == query.expected();
    }

    private static List<LogBlock> open(Path directory, String tenant) throws IOException {
        List<LogBlock> blocks = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith(tenant + "-"))
                    .sorted()
                    .toList()) {
                blocks.add(LogBlock.open(new FileRangeReader(file), new ReadMetrics()));
            }
        }
        return blocks;
    }

    private static double cpuSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }
}

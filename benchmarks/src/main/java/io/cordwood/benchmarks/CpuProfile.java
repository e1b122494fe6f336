package io.cordwood.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/** Where a running JVM spends its CPU, by Flight Recorder's samples. Not thread-safe. */
final class CpuProfile {
    private static final String NAME = "bench";

    /** What a frame of these packages or classes is at work on; the innermost one that fits counts. */
    private static final Map<String, String> STAGES = new LinkedHashMap<>();

    static {
        STAGES.put("io.cordwood.record.RowAssembler", "assemble columns");
        STAGES.put("io.cordwood.record.Assembly", "assemble columns");
        STAGES.put("io.cordwood.record.", "decode and buffer");
        STAGES.put("io.cordwood.logblock.index.", "index");
        STAGES.put("io.cordwood.logblock.match.", "index: tokens");
        STAGES.put("io.cordwood.logblock.parquet.Zstd", "compress column blocks");
        STAGES.put("io.cordwood.logblock.", "encode column blocks");
        STAGES.put("io.cordwood.ingest.commit.", "commit");
        STAGES.put("io.cordwood.catalog.", "catalog calls");
        STAGES.put("org.apache.iceberg.", "catalog calls");
        STAGES.put("io.cordwood.ingest.source.", "fetch from Kafka");
        STAGES.put("org.apache.kafka.", "fetch from Kafka");
        STAGES.put("org.rocksdb.", "state and checkpoints");
        STAGES.put("io.cordwood.ingest.build.", "build: bookkeeping");
        STAGES.put("org.apache.flink.", "Flink");
    }

    private final long pid;

    private CpuProfile(long pid) {
        this.pid = pid;
    }

    /** Starts to record a JVM of the same user. */
    static CpuProfile start(long pid) throws IOException, InterruptedException {
        CpuProfile profile = new CpuProfile(pid);
        profile.jcmd("JFR.start", "name=" + NAME, "settings=profile");
        return profile;
    }

    /** Stops recording and gives each stage's share of the samples, largest first. */
    Map<String, Double> stop() throws IOException, InterruptedException {
        Path file = Files.createTempFile("cordwood-bench", ".jfr");
        try {
            jcmd("JFR.stop", "name=" + NAME, "filename=" + file);
            Map<String, Integer> samples = new TreeMap<>();
            int total = 0;
            try (RecordingFile recording = new RecordingFile(file)) {
                while (recording.hasMoreEvents()) {
                    RecordedEvent event = recording.readEvent();
                    if (event.getEventType().getName().equals("jdk.ExecutionSample") && event.getStackTrace() != null) {
                        samples.merge(stage(event.getStackTrace().getFrames()), 1, Integer::sum);
                        total++;
                    }
                }
            }
            return shares(samples, total);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static Map<String, Double> shares(Map<String, Integer> samples, int total) {
        Map<String, Double> shares = new LinkedHashMap<>();
        samples.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(entry -> shares.put(entry.getKey(), (double) entry.getValue() / total));
        return shares;
    }

    private static String stage(List<RecordedFrame> innermostFirst) {
        for (RecordedFrame frame : innermostFirst) {
            RecordedMethod method = frame.getMethod();
            String type = method.getType().getName();
            for (Map.Entry<String, String> stage : STAGES.entrySet()) {
                if (type.startsWith(stage.getKey())) {
                    return stage.getValue();
                }
            }
        }
        return "other";
    }

    private void jcmd(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid)));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("%s failed: %s".formatted(String.join(" ", command), output.strip()));
        }
    }
}

package io.cordwood.systemtests.fault;

import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.lab.Savepoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Hides the files of the job's state for a while, as if its disk were missing. For one thread. */
public final class HiddenCheckpoint {
    private static final String SHARED = "shared";
    /** The job's log message when it waits for an operator. */
    private static final String MISSED = "but is kept, because without it rows would be lost";

    private final Lab lab;
    private final Map<Path, Path> hidden = new HashMap<>();

    public HiddenCheckpoint(Lab lab) {
        this.lab = lab;
    }

    /** Hides the files, while the job does not run. */
    public void hide() throws IOException {
        Path away = Files.createTempDirectory(lab.directory(), "hidden");
        for (Path files : shared()) {
            Path to = away.resolve(files.getParent().getFileName());
            Files.move(files, to);
            hidden.put(files, to);
        }
    }

    private List<Path> shared() throws IOException {
        try (Stream<Path> jobs = Files.list(lab.home().resolve("data/checkpoints"))) {
            return jobs.map(job -> job.resolve(SHARED)).filter(Files::exists).toList();
        }
    }

    /** Whether the job has logged that it cannot continue, or continues without its checkpoint. */
    public boolean isMissedOrGivenUp() throws IOException, InterruptedException {
        try (Stream<String> lines = Files.lines(lab.home().resolve("log/flink.log"))) {
            if (lines.anyMatch(line -> line.contains(MISSED))) {
                return true;
            }
        }
        return new Savepoints(lab).completedCheckpoints() > 0;
    }

    /** Puts the files back. */
    public void show() throws IOException {
        for (Map.Entry<Path, Path> files : hidden.entrySet()) {
            Files.createDirectories(files.getKey());
            try (Stream<Path> names = Files.list(files.getValue())) {
                for (Path file : names.toList()) {
                    Files.move(file, files.getKey().resolve(file.getFileName()));
                }
            }
        }
    }
}

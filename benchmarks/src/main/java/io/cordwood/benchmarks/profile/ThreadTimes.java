package io.cordwood.benchmarks.profile;

import io.cordwood.benchmarks.run.ProcessUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of each thread of a process so far, as the operating system reports it. Immutable.
 *
 * @param threads threads by number
 */
record ThreadTimes(Map<Long, Usage> threads) {
    /**
     * @param name at most 15 characters
     * @param cpuSeconds user and system time
     */
    record Usage(String name, double cpuSeconds) {}

    static ThreadTimes of(long pid) throws IOException {
        Map<Long, Usage> threads = new HashMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks.toList()) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip();
                    threads.put(
                            Long.parseLong(task.getFileName().toString()),
                            new Usage(name, ProcessUsage.cpuSeconds(task)));
                } catch (IOException e) {
                    // The thread has ended meanwhile. An unreadable live thread would be an error.
                    if (Files.exists(task)) {
                        throw e;
                    }
                }
            }
        }
        return new ThreadTimes(threads);
    }

    /** CPU time that each live thread has used since then. */
    Iterable<Usage> since(ThreadTimes before) {
        return threads.entrySet().stream()
                .map(thread -> {
                    Usage usage = thread.getValue();
                    Usage earlier = before.threads().getOrDefault(thread.getKey(), new Usage(usage.name(), 0));
                    return new Usage(usage.name(), usage.cpuSeconds() - earlier.cpuSeconds());
                })
                .toList();
    }
}

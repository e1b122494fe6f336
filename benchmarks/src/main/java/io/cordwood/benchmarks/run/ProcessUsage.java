package io.cordwood.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * CPU time and memory of a process so far, as the operating system reports them.
 *
 * @param cpuSeconds user and system time of all its threads
 * @param rssBytes resident set now
 * @param peakRssBytes largest resident set so far
 */
public record ProcessUsage(double cpuSeconds, long rssBytes, long peakRssBytes) {
    private static final double TICKS_PER_SECOND = 100;

    /** The usage of the process with this number. @throws IOException if there is none */
    public static ProcessUsage of(long pid) throws IOException {
        Path proc = Path.of("/proc", Long.toString(pid));
        List<String> status = Files.readAllLines(proc.resolve("status"));
        return new ProcessUsage(cpuSeconds(proc), bytes(status, "VmRSS"), bytes(status, "VmHWM"));
    }

    private static long bytes(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElse(0);
    }

    /** The usage of this process. */
    public static ProcessUsage ofThisProcess() throws IOException {
        return of(ProcessHandle.current().pid());
    }

    /** User and system time of a process or a thread by its directory under {@code /proc}. */
    public static double cpuSeconds(Path proc) throws IOException {
        String stat = Files.readString(proc.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Double.parseDouble(fields[11]) + Double.parseDouble(fields[12])) / TICKS_PER_SECOND;
    }
}

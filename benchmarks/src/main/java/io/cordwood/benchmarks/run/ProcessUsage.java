package io.cordwood.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process has used so far, by the operating system's account.
 *
 * @param cpuSeconds user and system time of all its threads
 * @param rssBytes resident set now
 * @param peakRssBytes largest resident set so far
 */
public record ProcessUsage(double cpuSeconds, long rssBytes, long peakRssBytes) {
    private static final double TICKS_PER_SECOND = 100;

    /** What the process of that number has used. @throws IOException if there is none */
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

    /** What this process has used. */
    public static ProcessUsage ofThisProcess() throws IOException {
        return of(ProcessHandle.current().pid());
    }

    /** User and system time of a process or a thread, whose directory under {@code /proc} is given. */
    public static double cpuSeconds(Path proc) throws IOException {
        String stat = Files.readString(proc.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Double.parseDouble(fields[11]) + Double.parseDouble(fields[12])) / TICKS_PER_SECOND;
    }
}

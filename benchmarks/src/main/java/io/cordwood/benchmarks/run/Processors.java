package io.cordwood.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;

/** Which processors of the machine a process runs on. Linux only. */
public final class Processors {
    private static final String ALLOWED = "Cpus_allowed_list:";

    private Processors() {}

    /**
     * Restricts one process to one processor, and others to the rest. With one processor all share it.
     *
     * @throws IOException if the operating system refuses
     */
    public static void isolate(long pid, long... others) throws IOException, InterruptedException {
        BitSet rest = allowed();
        if (rest.cardinality() < 2) {
            return;
        }
        int own = rest.nextSetBit(0);
        rest.clear(own);
        restrict(pid, Integer.toString(own));
        String list = String.join(",", rest.stream().mapToObj(Integer::toString).toList());
        for (long other : others) {
            restrict(other, list);
        }
    }

    /** The processors that this process may use, such as {@code 0-1,4}. */
    private static BitSet allowed() throws IOException {
        String list = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(ALLOWED))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status has no line " + ALLOWED))
                .substring(ALLOWED.length())
                .strip();
        BitSet processors = new BitSet();
        for (String range : list.split(",", -1)) {
            int[] ends = Arrays.stream(range.split("-", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            processors.set(ends[0], ends[ends.length - 1] + 1);
        }
        return processors;
    }

    /** All threads of a process, also those that it starts later. */
    private static void restrict(long pid, String list) throws IOException, InterruptedException {
        Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", list, Long.toString(pid))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (taskset.waitFor() != 0) {
            throw new IOException("taskset could not restrict process %d to processors %s".formatted(pid, list));
        }
    }
}

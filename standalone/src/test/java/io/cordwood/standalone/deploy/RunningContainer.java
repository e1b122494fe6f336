package io.cordwood.standalone.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A container that runs on this machine, as the kernel sees it. Only root may ask what it uses.
 *
 * @param service its service of Compose
 * @param process its first process
 * @param startedAt when it started; another time means that it has started again
 * @param volumes directories of this machine that it may write
 */
public record RunningContainer(String service, long process, String startedAt, List<Path> volumes) {
    /** A generation of the heap, or all of it, in what {@code jcmd} prints. */
    private static final Pattern HEAP_USED = Pattern.compile("total.*, used (\\d+)K");

    /**
     * What all processes of a container use at one time.
     *
     * @param memory bytes of memory, those shared with other processes in part
     * @param threads number of threads
     * @param handles number of open files and connections
     * @param files number of files in its volumes and in its {@code /tmp}
     */
    public record Use(long memory, long threads, long handles, long files) {}

    public RunningContainer {
        volumes = List.copyOf(volumes);
    }

    /**
     * What it uses now. A process that ends meanwhile does not count.
     *
     * @throws IOException if the container has ended, or this user may not ask
     */
    public Use use() throws IOException {
        long memory = 0;
        long threads = 0;
        long handles = 0;
        for (long each : processes()) {
            Path kernel = Path.of("/proc/" + each);
            try {
                long itsMemory = 1024 * number(kernel.resolve("smaps_rollup"), "Pss:");
                long itsThreads = number(kernel.resolve("status"), "Threads:");
                handles += handles(kernel);
                memory += itsMemory;
                threads += itsThreads;
            } catch (AccessDeniedException e) {
                throw new IOException("What containers use is for root alone to ask", e);
            } catch (IOException | UncheckedIOException e) {
                if (each == process) {
                    throw new IOException("The container of %s has ended".formatted(service), e);
                }
            }
        }
        // Temporary files are in memory, and in no volume
        long files = files(Path.of("/proc/%d/root/tmp".formatted(process)));
        for (Path volume : volumes) {
            files += files(volume);
        }
        return new Use(memory, threads, handles, files);
    }

    /**
     * Bytes of objects that are alive on the heap of its JVM, which collects its garbage for that; empty if it runs no
     * JVM. Until then garbage may grow to the size of the heap.
     */
    public OptionalLong liveHeap() throws IOException, InterruptedException {
        for (long each : processes()) {
            if (Files.readString(Path.of("/proc/%d/comm".formatted(each)))
                    .strip()
                    .equals("java")) {
                jcmd(each, "GC.run");
                return OptionalLong.of(1024
                        * HEAP_USED
                                .matcher(jcmd(each, "GC.heap_info").replaceFirst("(?s) Metaspace.*", ""))
                                .results()
                                .mapToLong(used -> Long.parseLong(used.group(1)))
                                .sum());
            }
        }
        return OptionalLong.empty();
    }

    private static String jcmd(long process, String command) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process),
                        command)
                .redirectErrorStream(true)
                .start();
        String printed = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd %d %s: %s".formatted(process, command, printed));
        }
        return printed;
    }

    private static long handles(Path kernel) throws IOException {
        try (Stream<Path> open = Files.list(kernel.resolve("fd"))) {
            return open.count();
        }
    }

    private List<Long> processes() {
        return ProcessHandle.of(process).stream()
                .flatMap(first -> Stream.concat(Stream.of(first), first.descendants()))
                .map(ProcessHandle::pid)
                .toList();
    }

    private static long number(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow(() -> new IOException("no %s in %s".formatted(name, file)));
    }

    private static long files(Path directory) throws IOException {
        long[] files = {0};
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files[0]++;
                return FileVisitResult.CONTINUE;
            }

            /** A file or a directory that was deleted meanwhile. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return files[0];
    }
}

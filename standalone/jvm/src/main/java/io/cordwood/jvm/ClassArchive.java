package io.cordwood.jvm;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The classes of a JVM, parsed and verified, which later JVMs with the same class path and options map into memory
 * (class data sharing): up to half of the CPU of a start. If there is no archive yet, the JVM writes one as it ends.
 * It is handed over to later JVMs by {@link #end}, so that they see whole ones only. One instance is for one JVM at a
 * time. Immutable.
 */
public final class ClassArchive {
    private static final String SUFFIX = ".jsa";
    private static final String PART_SUFFIX = ".part";
    /** The JVM would log to the program's output what it does not share. */
    private static final String QUIET = "-Xlog:cds*=off";

    /** After that, nobody waits for the JVM that was writing it. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    /** Archives of a program that are kept: of this build, and for instance of another JDK. */
    private static final int KEPT = 2;

    private final Path directory;
    private final String name;
    private final Path file;
    /** What this JVM writes; empty if it reads. */
    private final Optional<Path> part;

    private ClassArchive(Path directory, String name, String classPath, List<String> options) throws IOException {
        this.directory = directory;
        this.name = name;
        Path java = Path.of(System.getProperty("java.home"));
        Path base = java.resolve("lib").resolve("server").resolve("classes.jsa");
        long key = Objects.hash(Runtime.version(), java, options);
        if (Files.exists(base)) {
            key = 31 * key + Objects.hash(Files.getLastModifiedTime(base), Files.size(base));
        }
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            key = 31 * key + Objects.hash(entry, Files.getLastModifiedTime(path), Files.size(path));
        }
        file = directory.resolve("%s-%016x%s".formatted(name, key, SUFFIX));
        part = Files.exists(file)
                ? Optional.empty()
                : Optional.of(directory.resolve("%s-%s%s".formatted(name, UUID.randomUUID(), PART_SUFFIX)));
    }

    /**
     * The archive of a program; empty if there is none and none can be written.
     *
     * @param directory where archives are kept; created if needed
     * @param name of the program, unique in the directory
     * @param classPath jars only: the JVM shares nothing with directories
     * @param options of the JVM, as far as they differ between its starts: an archive fits the options, too
     */
    public static Optional<ClassArchive> of(Path directory, String name, String classPath, List<String> options) {
        try {
            ClassArchive archive = new ClassArchive(directory, name, classPath, options);
            if (Files.isWritable(Files.createDirectories(directory))) {
                archive.tidy();
                return Optional.of(archive);
            }
            return archive.isWritten() ? Optional.empty() : Optional.of(archive);
        } catch (IOException e) {
            // The program runs without, too
            return Optional.empty();
        }
    }

    /** Whether the JVM writes the archive as it ends, which takes seconds. It must have no agent then. */
    public boolean isWritten() {
        return part.isPresent();
    }

    /** Options of the JVM. */
    public List<String> options() {
        return List.of(
                part.map(path -> "-XX:ArchiveClassesAtExit=" + path).orElseGet(() -> "-XX:SharedArchiveFile=" + file),
                QUIET);
    }

    /**
     * Hands over what the JVM wrote, now that it has ended.
     *
     * @param keep whether it had all its classes, and ended by itself; otherwise what it wrote is deleted
     */
    public void end(boolean keep) throws IOException {
        if (part.isEmpty() || !Files.exists(part.get())) {
            return;
        }
        if (keep) {
            try (FileChannel written = FileChannel.open(part.get(), StandardOpenOption.READ)) {
                written.force(true);
            }
            Files.move(part.get(), file, StandardCopyOption.ATOMIC_MOVE);
            deleteUnused();
        } else {
            Files.deleteIfExists(part.get());
        }
    }

    /** Deletes the archive that the JVM read, so that the next one writes another. Call it if the JVM crashed. */
    public void discard() throws IOException {
        if (!isWritten()) {
            Files.deleteIfExists(file);
        }
    }

    /** Deletes archives that were used least lately: they are large. */
    private void deleteUnused() throws IOException {
        List<Path> unused = files("-[0-9a-f]{16}" + Pattern.quote(SUFFIX)).stream()
                .sorted(Comparator.comparing(ClassArchive::lastUsed).reversed())
                .skip(KEPT)
                .toList();
        for (Path each : unused) {
            Files.deleteIfExists(each);
        }
    }

    /** Tells that this archive is used, and deletes what JVMs wrote and nobody handed over. */
    private void tidy() {
        try {
            if (!isWritten()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            }
            Instant oldest = Instant.now().minus(ABANDONED);
            for (Path each : files("-[0-9a-f-]{36}" + Pattern.quote(PART_SUFFIX))) {
                if (lastUsed(each).toInstant().isBefore(oldest)) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException e) {
            // Files of another user: the archive is of use all the same
        }
    }

    /** Files of this program; the name of another may begin with this one's. */
    private List<Path> files(String rest) throws IOException {
        Pattern pattern = Pattern.compile(Pattern.quote(name) + rest);
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(each ->
                            pattern.matcher(each.getFileName().toString()).matches())
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** When it was written or last read; long ago if it is gone. */
    private static FileTime lastUsed(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }
}

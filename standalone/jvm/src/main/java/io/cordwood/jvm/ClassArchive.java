package io.cordwood.jvm;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The classes of a JVM, parsed and verified, which later JVMs with the same class path map into memory (class data
 * sharing): up to half of the CPU of a start. If there is no archive yet, the JVM writes one as it ends. It is handed
 * over to later JVMs by {@link #end}, so that they see whole ones only. One instance is for one JVM at a time.
 * Immutable.
 */
public final class ClassArchive {
    private static final String SUFFIX = ".jsa";
    private static final String PART_SUFFIX = ".part";
    /** The JVM would log to the program's output what it does not share. */
    private static final String QUIET = "-Xlog:cds*=off";

    /** After that, nobody waits for the JVM that was to write it. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    private final Path directory;
    private final String name;
    private final Path file;
    /** What this JVM writes; empty if it reads. */
    private final Optional<Path> part;

    private ClassArchive(Path directory, String name, String classPath) throws IOException {
        this.directory = directory;
        this.name = name;
        long key = Runtime.version().hashCode();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            key = 31 * (31 * key + entry.hashCode())
                    + Files.getLastModifiedTime(path).toMillis();
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
     * @param name of the program, unique in the directory, without a hyphen
     * @param classPath jars only: the JVM shares nothing with directories
     */
    public static Optional<ClassArchive> of(Path directory, String name, String classPath) {
        try {
            ClassArchive archive = new ClassArchive(directory, name, classPath);
            return archive.part.isEmpty() || Files.isWritable(Files.createDirectories(directory))
                    ? Optional.of(archive)
                    : Optional.empty();
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
            deleteEarlier();
            Files.move(part.get(), file, StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.deleteIfExists(part.get());
        }
    }

    /** Deletes archives of other builds, each of up to 100 MB, and what nobody handed over. */
    private void deleteEarlier() throws IOException {
        Instant oldest = Instant.now().minus(ABANDONED);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, name + "-*")) {
            for (Path each : files) {
                boolean isEarlier = each.toString().endsWith(PART_SUFFIX)
                        ? Files.getLastModifiedTime(each).toInstant().isBefore(oldest)
                        : !each.equals(file);
                if (isEarlier) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }
}

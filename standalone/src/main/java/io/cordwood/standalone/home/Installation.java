package io.cordwood.standalone.home;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The build output, here or in an image: class paths of the processes and the Trino plugin. Third-party jars stay where
 * Maven keeps them. Each version of the project's own jars is copied to a directory, so that a build does not replace
 * those of running processes, and stacks of the same build share their classes. Immutable.
 *
 * @param root the directory that holds this project
 * @param writesClasses whether JVMs of processes may write their classes as they end, which takes seconds
 */
public record Installation(Path root, boolean writesClasses) {
    private static final String ROOT_PROPERTY = "cordwood.root";
    /** After that, a version of a jar that nothing was started from is deleted. */
    private static final Duration UNUSED = Duration.ofDays(90);

    /** An installation whose processes write their classes. */
    public Installation(Path root) {
        this(root, true);
    }

    /** This installation with processes that read classes of earlier ones, but write none, so that they end fast. */
    public Installation withoutNewClasses() {
        return new Installation(root, false);
    }

    /** The installation that this program runs from. @throws CordwoodException if it was not started by bin/cordwood */
    public static Installation current() {
        String root = System.getProperty(ROOT_PROPERTY);
        if (root == null) {
            throw new CordwoodException("the system property " + ROOT_PROPERTY + " is not set: use bin/cordwood");
        }
        return new Installation(Path.of(root).toAbsolutePath().normalize());
    }

    /** The JVM that runs this program, for the other processes. */
    public static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** Whether the module, by its directory, was built here. */
    public boolean isBuilt(String module) {
        return Files.exists(classPathFile(module));
    }

    /**
     * The class path of a module's process.
     *
     * @param module its directory, relative to the root
     * @throws CordwoodException if the module was not built, or a jar is missing
     */
    public String classPath(String module) {
        Path target = root.resolve(module).resolve("target");
        try (Stream<Path> own = Files.list(target)) {
            List<Path> jars = new ArrayList<>(own.filter(Installation::isOwnJar).toList());
            for (String entry : Files.readString(classPathFile(module)).strip().split(File.pathSeparator, -1)) {
                jars.add(root.resolve(entry));
            }
            List<String> entries = new ArrayList<>();
            for (Path jar : jars) {
                Path there = existing(jar);
                entries.add((isBuiltHere(there) ? copy(there) : there).toString());
            }
            return String.join(File.pathSeparator, entries);
        } catch (IOException e) {
            throw new CordwoodException(
                    "%s is not built (%s): use bin/cordwood, which builds, or ./mvnw -DskipTests package"
                            .formatted(module, Errors.text(e)),
                    e);
        }
    }

    /** Where JVMs of processes keep their classes for the next start. */
    public Path classArchives() {
        return root.resolve("target").resolve("class-archives");
    }

    private Path classPathFile(String module) {
        return root.resolve(module).resolve("target").resolve("classpath.txt");
    }

    /** An installation by bin/internal/install needs no copies, as no build changes it. */
    private boolean isBuiltHere(Path jar) {
        return jar.startsWith(root) && Files.exists(root.resolve("mvnw")) && Files.isWritable(root.resolve("target"));
    }

    private static boolean isOwnJar(Path path) {
        String name = path.getFileName().toString();
        return name.endsWith(".jar") && !name.endsWith("-tests.jar") && !name.endsWith("-services.jar");
    }

    private static Path existing(Path jar) {
        if (!Files.exists(jar)) {
            throw new CordwoodException("%s is missing: build again with ./mvnw -DskipTests package".formatted(jar));
        }
        return jar;
    }

    /**
     * A copy that no build replaces, for this version of the jar. Without one, as where the directory is another
     * user's, the process runs from the jar itself.
     */
    private Path copy(Path jar) {
        Path versions = root.resolve("target").resolve("running");
        try {
            Path version = Files.createDirectories(versions.resolve(
                    "%d-%d".formatted(Files.getLastModifiedTime(jar).toMillis(), Files.size(jar))));
            Path copy = version.resolve(jar.getFileName());
            if (!Files.exists(copy) || Files.size(copy) != Files.size(jar)) {
                // It appears whole: another process may be starting from it.
                Path part = Files.createTempFile(version, "copy", ".part");
                Files.copy(jar, part, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                Files.move(part, copy, StandardCopyOption.ATOMIC_MOVE);
                deleteUnused(versions);
            }
            touch(version);
            return copy;
        } catch (IOException e) {
            return jar;
        }
    }

    /** Tells that a process is started from a version of a jar. */
    private static void touch(Path version) {
        try {
            Files.setLastModifiedTime(version, FileTime.from(Instant.now()));
        } catch (IOException e) {
            // Another user's: it serves all the same
        }
    }

    /** Deletes versions of jars that nothing was started from for long. */
    private static void deleteUnused(Path versions) {
        Instant oldest = Instant.now().minus(UNUSED);
        try (Stream<Path> directories = Files.list(versions)) {
            for (Path version : directories.toList()) {
                if (Files.getLastModifiedTime(version).toInstant().isBefore(oldest)) {
                    delete(version);
                }
            }
        } catch (IOException e) {
            // Another start deletes them too; the next copy tries again
        }
    }

    private static void delete(Path version) throws IOException {
        try (Stream<Path> jars = Files.list(version)) {
            for (Path jar : jars.toList()) {
                Files.deleteIfExists(jar);
            }
        }
        Files.deleteIfExists(version);
    }
}

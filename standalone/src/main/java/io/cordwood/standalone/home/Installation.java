package io.cordwood.standalone.home;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The build output, here or in an image: class paths of the processes and the Trino plugin. Third-party jars stay where
 * Maven keeps them. The project's own jars are copied to the home, so that a build does not replace those of running
 * processes. Immutable.
 *
 * @param root the directory that holds this project
 */
public record Installation(Path root) {
    private static final String ROOT_PROPERTY = "cordwood.root";

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
     * @param home receives copies of the project's jars
     * @throws CordwoodException if the module was not built, or a jar is missing
     */
    public String classPath(String module, Home home) {
        Path target = root.resolve(module).resolve("target");
        try (Stream<Path> own = Files.list(target)) {
            Path libraries = Files.createDirectories(
                    home.libraries().resolve(Path.of(module).getFileName()));
            List<Path> jars = new ArrayList<>(own.filter(Installation::isOwnJar).toList());
            for (String entry : Files.readString(classPathFile(module)).strip().split(File.pathSeparator, -1)) {
                jars.add(root.resolve(entry));
            }
            List<String> entries = new ArrayList<>();
            for (Path jar : jars) {
                entries.add((isBuiltHere(jar) ? copy(jar, libraries) : existing(jar)).toString());
            }
            return String.join(File.pathSeparator, entries);
        } catch (IOException e) {
            throw new CordwoodException(
                    "%s is not built (%s): use bin/cordwood, which builds, or ./mvnw -DskipTests package"
                            .formatted(module, Errors.text(e)),
                    e);
        }
    }

    private Path classPathFile(String module) {
        return root.resolve(module).resolve("target").resolve("classpath.txt");
    }

    /** An installation by bin/internal/install needs no copies: its jars are in lib, and no build changes them. */
    private boolean isBuiltHere(Path jar) {
        return jar.startsWith(root) && !jar.startsWith(root.resolve("lib"));
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

    /** The copy must appear atomically: another service of the same module may be starting from it. */
    private static Path copy(Path jar, Path directory) throws IOException {
        Path part = Files.createTempFile(directory, "copy", ".part");
        Files.copy(existing(jar), part, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        return Files.move(part, directory.resolve(jar.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }
}

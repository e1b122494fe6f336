package io.cordwood.standalone.process;

import io.cordwood.standalone.home.AtomicFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The files about a started process. {@code NAME.pid} holds only its number, for other programs. {@code NAME.birth}
 * distinguishes it from a later process of the same number. Not thread-safe.
 */
public final class PidFile {
    private final Path pidFile;
    private final Path birthFile;

    /** The files of the process called {@code name} in the directory {@code run}. */
    public PidFile(Path run, String name) {
        pidFile = run.resolve(name + ".pid");
        birthFile = run.resolve(name + ".birth");
    }

    /** Records the process. @throws UncheckedIOException if the files cannot be written */
    public void write(ProcessIdentity process) {
        AtomicFiles.write(birthFile, process.birth() + "\n");
        AtomicFiles.write(pidFile, process.pid() + "\n");
    }

    /** Forgets the process. @throws UncheckedIOException if the files cannot be removed */
    public void delete() {
        try {
            Files.deleteIfExists(pidFile);
            Files.deleteIfExists(birthFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The recorded process if it still runs; empty if none is recorded, it ended, or another process has its number.
     */
    public Optional<ProcessHandle> running() {
        try {
            long pid = Long.parseLong(Files.readString(pidFile).strip());
            return new ProcessIdentity(pid, Files.readString(birthFile).strip()).alive();
        } catch (IOException | NumberFormatException absentOrDamaged) {
            return Optional.empty();
        }
    }
}

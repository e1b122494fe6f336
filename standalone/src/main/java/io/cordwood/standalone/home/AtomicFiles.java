package io.cordwood.standalone.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Atomic replacement of files: a concurrent reader sees the old text or the new one, never a part. */
public final class AtomicFiles {
    /** The end of the name of a file that is being written. It stays if its writer is killed. */
    public static final String UNFINISHED = ".tmp";

    private AtomicFiles() {}

    /** Replaces the file's text. @throws UncheckedIOException if it cannot be written */
    public static void write(Path file, String text) {
        try {
            Path temporary =
                    Files.createTempFile(file.toAbsolutePath().getParent(), file.getFileName() + ".", UNFINISHED);
            Files.writeString(temporary, text);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}

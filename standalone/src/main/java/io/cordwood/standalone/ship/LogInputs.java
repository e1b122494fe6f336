package io.cordwood.standalone.ship;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/** The files, or standard input, to ship. Any thread may call {@link #fractionRead()}. */
public final class LogInputs {
    private static final Path STANDARD_INPUT = Path.of("-");

    private final List<Path> files;
    private final long totalBytes;
    private final AtomicLong readBytes = new AtomicLong();

    private LogInputs(List<Path> files, long totalBytes) {
        this.files = List.copyOf(files);
        this.totalBytes = totalBytes;
    }

    /**
     * These files, in their order; none, or {@code -}, is standard input.
     *
     * @throws CordwoodException if a file cannot be read; thrown before any is shipped
     */
    public static LogInputs of(List<Path> files) {
        if (files.isEmpty() || files.contains(STANDARD_INPUT)) {
            return new LogInputs(files.isEmpty() ? List.of(STANDARD_INPUT) : files, 0);
        }
        long total = 0;
        for (Path file : files) {
            try {
                if (Files.isDirectory(file)) {
                    throw new CordwoodException(file + " is a directory: name its files");
                }
                if (!Files.isReadable(file)) {
                    throw new CordwoodException("cannot read " + file + (Files.exists(file) ? "" : ": no such file"));
                }
                total += Files.size(file);
            } catch (IOException e) {
                throw new CordwoodException("cannot read %s: %s".formatted(file, Errors.text(e)), e);
            }
        }
        return new LogInputs(files, total);
    }

    /** Opens one after the other and hands it over with its name. */
    public void forEach(BiConsumer<String, InputStream> consumer) {
        for (Path file : files) {
            try (InputStream input = file.equals(STANDARD_INPUT)
                    ? LogInput.counting(System.in, readBytes)
                    : LogInput.open(file, readBytes)) {
                consumer.accept(file.equals(STANDARD_INPUT) ? "standard input" : file.toString(), input);
            } catch (IOException e) {
                throw new CordwoodException("cannot read %s: %s".formatted(file, Errors.text(e)), e);
            }
        }
    }

    /** The share that has been read, 0 to 1; empty if the total is unknown. */
    public OptionalDouble fractionRead() {
        return totalBytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(readBytes.get() / (double) totalBytes);
    }
}

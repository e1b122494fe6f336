package io.cordwood.services;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The address that a service prints when it listens. */
public final class PrintedAddress {
    private PrintedAddress() {}

    /**
     * Waits until a service has printed its address.
     *
     * @param output file that what it prints goes to
     * @param before what stands before the address in its line
     * @throws IllegalStateException with what it printed, if it ends before
     */
    public static URI await(Process process, Path output, String before) throws IOException, InterruptedException {
        Waiting.until("there is a line '%s...'".formatted(before), () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("It has ended:\n" + Files.readString(output));
            }
            return find(output, before).isPresent();
        });
        return find(output, before).orElseThrow();
    }

    private static Optional<URI> find(Path output, String before) throws IOException {
        return Files.readString(output)
                .lines()
                .filter(line -> line.startsWith(before))
                .map(line -> URI.create(line.substring(before.length())))
                .findFirst();
    }
}

package io.cordwood.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.services.PrintedAddress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A client of the gateway, or another gateway, that runs as a process of its own until it is closed. */
public final class ClientProcess implements AutoCloseable {
    private static final long SECONDS_TO_END = 60;

    private final Process process;
    private final Path output;

    private ClientProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts it, in UTC.
     *
     * @param output file that what it prints goes to
     */
    public static ClientProcess start(Path output, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("TZ", "UTC");
        Process process = builder.start();
        process.getOutputStream().close();
        return new ClientProcess(process, output);
    }

    /** The address of a gateway; waits until it listens. */
    URI awaitGateway() throws IOException, InterruptedException {
        return PrintedAddress.await(process, output, "gateway: listening on ");
    }

    /** What it has printed. */
    public String output() throws IOException {
        return Files.readString(output);
    }

    /** Fails with what it printed unless it runs. */
    public void requireAlive() throws IOException {
        assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
    }

    /** Asks it to end, and waits until it has sent what it holds. */
    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            process.onExit().orTimeout(SECONDS_TO_END, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            process.destroyForcibly();
            throw new IllegalStateException("It does not end: " + Files.readString(output), e);
        }
    }
}

package io.cordwood.search;

import io.cordwood.services.PrintedAddress;
import io.cordwood.services.Waiting;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A search service in a process of its own, which can be killed. For one thread. */
final class SearchProcess implements AutoCloseable {
    private static final String LISTENING = "search: listening on ";

    private final Process process;
    private final Path output;
    private final HttpClient http = HttpClient.newHttpClient();
    private Optional<URI> uri = Optional.empty();

    private SearchProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts it, and does not wait until it answers.
     *
     * @param output a new file for what it prints
     * @param jvmOptions its heap, for instance
     */
    static SearchProcess start(Path output, List<String> jvmOptions, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--add-modules=jdk.incubator.vector"));
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                SearchServer.class.getName()));
        command.addAll(arguments);
        File file = output.toFile();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(file)
                .start();
        return new SearchProcess(process, output);
    }

    /** Peak of its resident set, as the operating system tells it. */
    String peakMemory() throws IOException {
        return Files.readString(Path.of("/proc/%d/status".formatted(process.pid())))
                .lines()
                .filter(line -> line.startsWith("VmHWM"))
                .findFirst()
                .orElse("");
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    /** Its address; waits until it listens. */
    URI uri() throws IOException, InterruptedException {
        if (uri.isEmpty()) {
            uri = Optional.of(PrintedAddress.await(process, output, LISTENING));
        }
        return uri.orElseThrow();
    }

    /** The value of a series; waits until the service answers. */
    double metric(String series) throws IOException, InterruptedException {
        URI address = uri();
        String text = http.send(
                        HttpRequest.newBuilder(address.resolve("/metrics")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return text.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No series " + series));
    }

    void awaitAnswer() throws IOException, InterruptedException {
        metric("cordwood_search_alert_leader");
    }

    void awaitLeader() throws IOException, InterruptedException {
        Waiting.until("it leads", () -> metric("cordwood_search_alert_leader") == 1);
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        http.shutdownNow();
    }
}

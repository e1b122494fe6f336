package io.cordwood.standalone.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A cut between two groups of containers: no packet gets from one to the other, and nobody is told. Only root may cut.
 * For one thread.
 */
public final class NetworkCut implements AutoCloseable {
    private final List<List<String>> rules = new ArrayList<>();

    private NetworkCut() {}

    /**
     * Cuts each container of one group off from each of the other. A container in both stays connected to itself.
     *
     * @param some containers that run
     * @param others containers that run
     */
    public static NetworkCut between(Compose compose, List<String> some, List<String> others)
            throws IOException, InterruptedException {
        NetworkCut cut = new NetworkCut();
        try {
            for (String one : some) {
                String process = Long.toString(compose.process(one));
                for (String other : others) {
                    if (!one.equals(other)) {
                        String address = compose.address(other);
                        cut.drop(List.of(process, "INPUT", "--source", address));
                        cut.drop(List.of(process, "OUTPUT", "--destination", address));
                    }
                }
            }
            return cut;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cut.heal();
            throw e;
        }
    }

    private void drop(List<String> rule) throws IOException, InterruptedException {
        change("--append", rule);
        rules.add(rule);
    }

    private static void change(String verb, List<String> rule) throws IOException, InterruptedException {
        List<String> command = List.of(
                "nsenter",
                "--target",
                rule.get(0),
                "--net",
                "iptables",
                verb,
                rule.get(1),
                rule.get(2),
                rule.get(3),
                "--jump",
                "DROP");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("%s failed: %s".formatted(String.join(" ", command), output));
        }
    }

    private void heal() throws IOException, InterruptedException {
        IOException failure = null;
        for (List<String> rule : rules) {
            if (ProcessHandle.of(Long.parseLong(rule.getFirst())).isEmpty()) {
                // The rules of a container go when it ends
                System.out.println(
                        "    a container ended while it was cut off, and was connected when it started again");
                continue;
            }
            try {
                change("--delete", rule);
            } catch (IOException e) {
                failure = e;
            }
        }
        rules.clear();
        if (failure != null) {
            throw failure;
        }
    }

    /** Connects them again. */
    @Override
    public void close() throws IOException {
        try {
            heal();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while connecting containers again", e);
        }
    }
}

package io.cordwood.standalone.deploy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A cut between two groups of containers: no packet gets from one to the other, and nobody is told. Only root may cut.
 * For one thread.
 */
public final class NetworkCut implements AutoCloseable {
    /**
     * A rule in the network of a container.
     *
     * @param process its first process
     * @param chain packets that come in or go out
     * @param end the option for the other end of a packet
     * @param address the other container's
     */
    private record Rule(long process, String chain, String end, String address) {
        void change(String verb) throws IOException, InterruptedException {
            HostCommand.run(
                    "nsenter", "--target=" + process, "--net", "iptables", verb, chain, end, address, "--jump", "DROP");
        }
    }

    private final List<Rule> rules = new ArrayList<>();

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
                long process = compose.process(one);
                for (String other : others) {
                    if (!one.equals(other)) {
                        String address = compose.address(other);
                        cut.drop(new Rule(process, "INPUT", "--source", address));
                        cut.drop(new Rule(process, "OUTPUT", "--destination", address));
                    }
                }
            }
            return cut;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cut.heal();
            throw e;
        }
    }

    private void drop(Rule rule) throws IOException, InterruptedException {
        rule.change("--append");
        rules.add(rule);
    }

    private void heal() throws IOException, InterruptedException {
        IOException failure = null;
        for (Rule rule : rules) {
            if (ProcessHandle.of(rule.process()).isEmpty()) {
                // The rules of a container go when it ends
                System.out.println(
                        "    a container ended while it was cut off, and was connected when it started again");
                continue;
            }
            try {
                rule.change("--delete");
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

package io.cordwood.standalone.home;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.error.CordwoodException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The ports of services. Those of a home are on loopback. The first start chooses free ports and keeps them in
 * {@code ports.json}, so that addresses stay the same after a restart. Immutable.
 */
public final class Ports {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ANY = "0.0.0.0";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String host;
    private final Map<String, Integer> ports;

    private Ports(String host, Map<String, Integer> ports) {
        this.host = host;
        this.ports = Map.copyOf(ports);
    }

    /**
     * Ports that the operator chose.
     *
     * @param host the address that they are bound to
     */
    public static Ports fixed(String host, Map<String, Integer> ports) {
        return new Ports(host, ports);
    }

    /** The address that services are bound to. */
    public String host() {
        return host;
    }

    /** The only address that services are bound to; empty if they are bound to all. */
    public Optional<String> onlyHost() {
        return host.equals(ANY) ? Optional.empty() : Optional.of(host);
    }

    /**
     * Reads the ports of the home, and chooses missing ones from the range that {@code CORDWOOD_PORTS} names.
     *
     * @throws CordwoodException if the file cannot be read, or there is no free port in the range
     */
    public static Ports of(Home home, List<String> names) {
        Map<String, Integer> ports = new TreeMap<>();
        if (Files.exists(home.ports())) {
            try {
                ports.putAll(
                        JSON.readValue(Files.readAllBytes(home.ports()), new TypeReference<Map<String, Integer>>() {}));
            } catch (IOException e) {
                throw new CordwoodException(
                        "cannot read %s: remove it to choose ports again".formatted(home.ports()), e);
            }
        }
        PortRange range = PortRange.of(System.getenv(PortRange.VARIABLE));
        for (String name : names) {
            if (!ports.containsKey(name)) {
                ports.put(name, choose(range, ports));
            }
        }
        try {
            AtomicFiles.write(
                    home.ports(), JSON.writerWithDefaultPrettyPrinter().writeValueAsString(ports) + "\n");
        } catch (IOException e) {
            throw new CordwoodException("cannot write " + home.ports(), e);
        }
        return new Ports(LOOPBACK, ports);
    }

    /** The port of a service. */
    public int of(String name) {
        return ports.get(name);
    }

    /** The address of a service for programs on this machine, {@code host:port}. */
    public String address(String name) {
        return onlyHost().orElse(LOOPBACK) + ":" + of(name);
    }

    /** Checks that the ports are free. @throws CordwoodException if another program uses one of them */
    public void checkFree(List<String> names) {
        List<String> used = new ArrayList<>();
        for (String name : names) {
            if (!isFree(of(name))) {
                used.add(of(name) + " (" + name + ")");
            }
        }
        if (!used.isEmpty()) {
            throw new CordwoodException(
                    "another program uses port %s: end it, or remove ports.json from the home to choose ports again"
                            .formatted(String.join(", ", used)));
        }
    }

    private static int choose(PortRange range, Map<String, Integer> taken) {
        int offset = RandomGenerator.getDefault().nextInt(range.size());
        for (int i = 0; i < range.size(); i++) {
            int port = range.lowest() + (offset + i) % range.size();
            if (!taken.containsValue(port) && isFree(port)) {
                return port;
            }
        }
        throw new CordwoodException("no free port between %d and %d".formatted(range.lowest(), range.highest()));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

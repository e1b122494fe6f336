package io.cordwood.services;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for services that are killed and restarted. */
public final class FreePort {
    // Two forks of a test run choose from two ranges. The default is below the range from which Linux takes ports for
    // outgoing connections: none of these takes a port while its service is down.
    private static final String[] RANGE =
            System.getenv().getOrDefault("CORDWOOD_PORTS", "20000-31999").split("-", 2);
    private static final int LOWEST = Integer.parseInt(RANGE[0]);
    private static final int HIGHEST = Integer.parseInt(RANGE[1]);

    /** What this process has chosen so far: a port is free until its service starts. */
    private static final Set<Integer> CHOSEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    /** A free port that it has not chosen before. */
    public static int choose() {
        int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
        while (!CHOSEN.add(port) || !isFree(port)) {
            port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
        }
        return port;
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

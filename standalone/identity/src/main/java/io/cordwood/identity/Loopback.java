package io.cordwood.identity;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.stream.Stream;

/** Addresses that only this machine reaches. Stateless, thread-safe. */
public final class Loopback {
    private Loopback() {}

    /**
     * Whether only this machine reaches a host, under all its addresses. Nobody reaches one that is unknown or blank.
     *
     * @param host a name or an address
     */
    public static boolean is(String host) {
        try {
            return !host.isBlank()
                    && Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}

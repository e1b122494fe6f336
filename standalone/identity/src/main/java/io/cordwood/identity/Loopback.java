package io.cordwood.identity;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses that only this machine reaches. Stateless, thread-safe. */
public final class Loopback {
    private Loopback() {}

    /**
     * Whether only this machine reaches a host. One that is unknown is not.
     *
     * @param host a name or an address
     */
    public static boolean is(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}

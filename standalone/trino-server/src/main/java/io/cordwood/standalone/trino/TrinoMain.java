package io.cordwood.standalone.trino;

import io.trino.server.Server;

/**
 * Starts a Trino server in this process: Trino's own launcher is not published as an archive, and {@link Server} has no
 * main method. The configuration comes from system properties ({@code -Dconfig}, {@code -Dnode.*},
 * {@code -Dplugin.dir}, {@code -Dcatalog.config-dir}), the version from the first argument.
 */
public final class TrinoMain {
    private TrinoMain() {}

    public static void main(String[] arguments) {
        if (arguments.length != 1) {
            System.err.println("usage: TrinoMain TRINO_VERSION");
            System.exit(2);
        }
        new Server().start(arguments[0]);
    }
}

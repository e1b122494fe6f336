package io.cordwood.options;

import java.net.URI;
import picocli.CommandLine.Option;

/** The address of Redis, given as it is or in a file: an argument of a process is no place for a password. */
public final class RedisFlags {
    @Option(
            names = "--redis",
            required = true,
            paramLabel = "URL",
            converter = RedisUri.class,
            description = "Redis, for traffic reports, routing tables and statistics of hot rows")
    private URI redis;

    @Option(
            names = "--redis-url-file",
            required = true,
            paramLabel = "FILE",
            converter = RedisUri.InFile.class,
            description = "file with the address of Redis, if it has a password")
    private URI fromFile;

    /** The address. */
    public URI uri() {
        return redis == null ? fromFile : redis;
    }
}

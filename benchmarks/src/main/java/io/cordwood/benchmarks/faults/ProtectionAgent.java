package io.cordwood.benchmarks.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.stream.Stream;

/** Java agent that takes a {@link Protection} out of the JVM that it is loaded into. */
public final class ProtectionAgent {
    private ProtectionAgent() {}

    /**
     * Called by the JVM before its main class.
     *
     * @param name of the protection
     */
    public static void premain(String name, Instrumentation instrumentation) {
        Protection protection = Protection.valueOf(name);
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader, String className, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
                if (!protection.className().equals(className)) {
                    return null;
                }
                try {
                    byte[] weakened = protection.removeFrom(bytes);
                    System.err.println("runs without " + protection);
                    return weakened;
                } catch (RuntimeException e) {
                    // What a transformer throws would be swallowed, and the protection stay.
                    System.err.println("cannot remove " + protection + ": " + e);
                    Runtime.getRuntime().halt(3);
                    throw e;
                }
            }
        });
    }

    /** The jar that holds this agent. */
    static Path jar(Path root) {
        try (Stream<Path> jars = Files.list(root.resolve("benchmarks").resolve("target"))) {
            return jars.filter(file -> file.toString().endsWith("-SNAPSHOT.jar"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

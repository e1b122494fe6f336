package io.cordwood.benchmarks.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Java agent that takes a {@link Protection} out of the JVM that it is loaded into, or makes its files slow. */
public final class ProtectionAgent {
    private ProtectionAgent() {}

    /**
     * Called by the JVM before its main class.
     *
     * @param name of the protection, or of the {@link Slowness}
     */
    public static void premain(String name, Instrumentation instrumentation) {
        List<CodeChange> changes = Arrays.stream(Slowness.values())
                .filter(slowness -> slowness.name().equals(name))
                .findFirst()
                .map(Slowness::changes)
                .orElseGet(() -> List.of(Protection.valueOf(name).removal()));
        changes.forEach(change -> instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader, String className, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
                if (!change.className().equals(className)) {
                    return null;
                }
                try {
                    byte[] changed = change.apply(bytes);
                    System.err.printf("%s: %s is changed%n", name, className);
                    return changed;
                } catch (RuntimeException e) {
                    // What a transformer throws would be swallowed, and the class stay as it is.
                    System.err.printf("%s: cannot change %s: %s%n", name, className, e);
                    Runtime.getRuntime().halt(3);
                    throw e;
                }
            }
        }));
    }

    /** The option of a JVM that is to run with this agent. */
    static String jvmOption(Path root, String name) {
        return "-javaagent:%s=%s".formatted(jar(root), name);
    }

    /** The jar that holds this agent. */
    private static Path jar(Path root) {
        try (Stream<Path> jars = Files.list(root.resolve("benchmarks").resolve("target"))) {
            return jars.filter(file -> file.toString().endsWith("-SNAPSHOT.jar"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

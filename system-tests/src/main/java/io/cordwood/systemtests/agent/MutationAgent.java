package io.cordwood.systemtests.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Java agent that takes {@linkplain Mutation protections} out of the JVM that it is loaded into, lets it be
 * {@linkplain Breakpoint held}, makes it slow, or sets its {@linkplain ShiftedClock clock} wrong.
 */
public final class MutationAgent {
    private MutationAgent() {}

    /**
     * Called by the JVM before its main class.
     *
     * @param names names of protections, the name of a {@link Slowness}, {@link Breakpoint#NAME} with a directory, or
     *     {@link ShiftedClock#NAME} with a file; separated by commas
     */
    public static void premain(String names, Instrumentation instrumentation) {
        Stream.of(names.split(",", -1)).filter(name -> !name.isEmpty()).forEach(name -> change(name, instrumentation));
    }

    private static void change(String name, Instrumentation instrumentation) {
        if (name.startsWith(ShiftedClock.NAME)) {
            ShiftedClock.follow(Path.of(name.substring(ShiftedClock.NAME.length())));
            add(
                    name,
                    instrumentation,
                    (loader, className, bytes) ->
                            seesThis(loader) ? TimeCalls.turned(className, bytes) : Optional.empty());
            return;
        }
        changes(name)
                .forEach(change -> add(name, instrumentation, (loader, className, bytes) -> {
                    if (!change.className().equals(className)) {
                        return Optional.empty();
                    }
                    byte[] changed = change.apply(bytes);
                    System.err.printf("%s: %s is changed%n", name, className);
                    return Optional.of(changed);
                }));
    }

    /** Classes of the JDK do not, nor those of Trino's plugins. */
    private static boolean seesThis(ClassLoader loader) {
        ClassLoader ancestor = loader;
        while (ancestor != null && ancestor != MutationAgent.class.getClassLoader()) {
            ancestor = ancestor.getParent();
        }
        return ancestor != null;
    }

    private static List<CodeChange> changes(String name) {
        if (name.startsWith(Breakpoint.NAME)) {
            Breakpoint.in(Path.of(name.substring(Breakpoint.NAME.length())));
            return FaultPoint.calls();
        }
        return Arrays.stream(Slowness.values())
                .filter(slowness -> slowness.name().equals(name))
                .findFirst()
                .map(Slowness::changes)
                .orElseGet(() -> Mutation.valueOf(name).removals());
    }

    /** What becomes of a class; empty if it stays as it is. */
    @FunctionalInterface
    private interface Change {
        Optional<byte[]> of(ClassLoader loader, String className, byte[] bytes);
    }

    private static void add(String name, Instrumentation instrumentation, Change change) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader, String className, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
                if (className == null) {
                    return null; // Made by the JVM, as for a lambda.
                }
                try {
                    return change.of(loader, className, bytes).orElse(null);
                } catch (RuntimeException e) {
                    // What a transformer throws would be swallowed, and the class stay as it is.
                    System.err.printf("%s: cannot change %s: %s%n", name, className, e);
                    Runtime.getRuntime().halt(3);
                    throw e;
                }
            }
        });
    }

    /** The option of a JVM that is to run with this agent, which may have nothing to change. */
    public static String jvmOption(Path root, List<String> names) {
        return "-javaagent:%s=%s".formatted(jar(root), String.join(",", names));
    }

    /** The jar that holds this agent. */
    private static Path jar(Path root) {
        try (Stream<Path> jars = Files.list(root.resolve("system-tests").resolve("target"))) {
            return jars.filter(file -> file.toString().endsWith("-SNAPSHOT.jar"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

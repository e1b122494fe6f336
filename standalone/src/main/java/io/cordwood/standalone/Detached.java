package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts the supervisor as a process that outlives this command and its terminal. */
final class Detached {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final long POLL_MILLIS = 100;
    private static final String MARKER = "cordwood.detached";

    private Detached() {}

    /**
     * Runs the same command in a process that is marked as {@linkplain #isThisProcess detached}, shows its output, and
     * returns when its stack is ready.
     *
     * @throws CordwoodException if it ends before
     */
    static void up(Home home, List<String> arguments, PrintWriter out) throws InterruptedException {
        home.create();
        Path output = home.log("up");
        try {
            Files.deleteIfExists(output);
            Process supervisor = new ProcessBuilder(command(arguments))
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile())
                    .start();
            String lastLine = follow(output, supervisor, out);
            if (!supervisor.isAlive()) {
                throw new CordwoodException(lastLine.replaceFirst("^cordwood up: ", ""));
            }
        } catch (IOException e) {
            throw new CordwoodException("cannot start the supervisor: " + Errors.text(e), e);
        }
    }

    /** Whether this process is the detached one. It ignores {@code --detach} in its arguments. */
    static boolean isThisProcess() {
        return Boolean.getBoolean(MARKER);
    }

    private static String follow(Path output, Process supervisor, PrintWriter out)
            throws IOException, InterruptedException {
        String last = "";
        try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
            boolean more = true;
            while (more) {
                // Checked before the rest is read, so that no output before the end is missed.
                more = !supervisor.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) && !last.startsWith("  all in ");
                byte[] bytes = new byte[Math.toIntExact(file.length() - file.getFilePointer())];
                file.readFully(bytes);
                for (String line :
                        new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
                    if (!line.startsWith("cordwood up: ")) {
                        out.println(line);
                    }
                    last = line;
                }
            }
        }
        return last;
    }

    static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            command.add(SETSID.toString());
        }
        command.add(Installation.java().toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-D" + MARKER + "=true");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Cordwood.class.getName()));
        command.addAll(arguments);
        return command;
    }
}

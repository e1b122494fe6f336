package io.cordwood.standalone.process;

import java.io.IOException;

/** A program that a command runs in its place, with its terminal. Stateless. */
public final class ChildProgram {
    private ChildProgram() {}

    /**
     * Runs it to its end, and ends it if this process is ended.
     *
     * @return its exit code
     */
    public static int run(ProcessBuilder program) throws IOException, InterruptedException {
        Process process = program.inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end child"));
        return process.waitFor();
    }
}

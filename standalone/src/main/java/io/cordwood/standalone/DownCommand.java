package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ProcessStopper;
import io.cordwood.standalone.process.Supervisor;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code down}: stops a stack, even if its supervisor was killed. */
@Command(name = "down", description = "Stops the stack. The home keeps its data.")
final class DownCommand implements Callable<Integer> {
    /** For services that write their classes, in three rounds. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Override
    public Integer call() throws InterruptedException {
        Home home = homeOptions.home();
        PrintWriter out = spec.commandLine().getOut();
        if (!Files.isDirectory(home.run())) {
            throw new CordwoodException("there is no stack in " + home.directory());
        }
        Optional<ProcessHandle> supervisor = new PidFile(home.run(), Supervisor.NAME).running();
        if (supervisor.isPresent() && !ProcessStopper.stop(supervisor.get(), LIMIT)) {
            out.printf("the supervisor did not end within %d s and was killed%n", LIMIT.toSeconds());
        }
        Optional<StackLock> lock = StackLock.tryAcquire(home);
        if (lock.isEmpty()) {
            throw new CordwoodException("something else holds the lock " + home.lock() + ": nothing was stopped");
        }
        try {
            List<String> orphans = Orphans.stop(home);
            RunningStack.forget(home);
            new PidFile(home.run(), Supervisor.NAME).delete();
            out.println(supervisor.isEmpty() && orphans.isEmpty() ? "nothing runs in " + home.directory() : "stopped");
            return 0;
        } finally {
            lock.get().close();
        }
    }
}

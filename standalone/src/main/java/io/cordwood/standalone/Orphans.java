package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ProcessStopper;
import io.cordwood.standalone.process.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Services that outlived their supervisor, which was killed. */
final class Orphans {
    private static final String SUFFIX = ".pid";
    /** A service that writes its classes takes longer than others, though nobody hands them over. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private Orphans() {}

    /**
     * Ends the home's services that still run, and removes stale pid files. The caller must hold the home's lock.
     *
     * @return names of the services that were ended
     */
    static List<String> stop(Home home) throws InterruptedException {
        List<String> stopped = new ArrayList<>();
        List<Thread> stoppers = new ArrayList<>();
        for (String name : recorded(home)) {
            PidFile file = new PidFile(home.run(), name);
            file.running().ifPresent(process -> {
                stopped.add(name);
                stoppers.add(Thread.ofPlatform().start(() -> stop(process)));
            });
        }
        for (Thread stopper : stoppers) {
            stopper.join();
        }
        recorded(home).forEach(name -> new PidFile(home.run(), name).delete());
        return stopped;
    }

    /** Names of the home's services that run without a supervisor. */
    static List<String> running(Home home) {
        return Files.isDirectory(home.run())
                ? recorded(home).stream()
                        .filter(name -> new PidFile(home.run(), name).running().isPresent())
                        .toList()
                : List.of();
    }

    private static List<String> recorded(Home home) {
        try (Stream<Path> files = Files.list(home.run())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .filter(name -> !name.equals(Supervisor.NAME))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new CordwoodException("cannot read %s: %s".formatted(home.run(), Errors.text(e)), e);
        }
    }

    private static void stop(ProcessHandle process) {
        try {
            ProcessStopper.stop(process, LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.cordwood.systemtests.lab;

import io.cordwood.systemtests.agent.ShiftedClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * Sets the clocks of processes ahead or back. The processes run with {@link ShiftedClock}, which reads the shift from a
 * file in this directory, so a restarted process has the same shift. For one thread.
 */
public record Clocks(Path directory) {
    /** The agent option for the JVM of a component. */
    public String option(Component component) {
        return ShiftedClock.NAME + file(component);
    }

    /** Shifts the clocks of these components by this duration, ahead or back. */
    public void shift(Duration shift, Component... components) throws IOException {
        for (Component component : components) {
            Path unfinished = Files.createTempFile(directory, component.toString(), "");
            Files.writeString(unfinished, Long.toString(shift.toMillis()));
            Files.move(unfinished, file(component), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Restores the clocks of these components. */
    public void right(Component... components) throws IOException {
        shift(Duration.ZERO, components);
    }

    private Path file(Component component) {
        return directory.resolve(component.toString());
    }
}

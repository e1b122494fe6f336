package io.cordwood.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessIdentityTest {
    @TempDir
    private Path run;

    @Test
    void findsTheVeryProcessAndNoLaterOneOfItsNumber() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();

            assertThat(identity.alive()).isPresent();
            assertThat(new ProcessIdentity(process.pid(), "an earlier birth").alive())
                    .isEmpty();
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(ProcessIdentity.of(process.pid())).isEmpty();
    }

    @Test
    void pidFileHoldsTheNumberAloneAndForgetsTheDead() throws Exception {
        PidFile file = new PidFile(run, "sleeper");
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            file.write(ProcessIdentity.of(process.pid()).orElseThrow());

            assertThat(run.resolve("sleeper.pid")).hasContent(Long.toString(process.pid()));
            assertThat(file.running().map(ProcessHandle::pid)).hasValue(process.pid());
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(file.running()).isEmpty();
    }

    @Test
    void pidFileOfAnotherBootOrDamagedIsStale() throws Exception {
        PidFile file = new PidFile(run, "old");
        file.write(new ProcessIdentity(ProcessHandle.current().pid(), "another boot-1"));
        assertThat(file.running()).isEmpty();

        Files.writeString(run.resolve("old.pid"), "no number");
        assertThat(file.running()).isEmpty();
    }

    @Test
    void stopKillsWhatDoesNotEndByItself() throws Exception {
        Process stubborn =
                new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done").start();
        stubborn.inputReader().readLine();

        assertThat(ProcessStopper.stop(stubborn.toHandle(), Duration.ofMillis(200)))
                .isFalse();
        assertThat(stubborn.waitFor()).isEqualTo(128 + 9);
    }
}

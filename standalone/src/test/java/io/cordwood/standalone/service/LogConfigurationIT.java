package io.cordwood.standalone.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.standalone.Program;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** With Log4j as services have it. */
final class LogConfigurationIT {
    @TempDir
    private Path directory;

    /** Is first used while its JVM ends. */
    static final class Late {
        private static final Logger LOG = LoggerFactory.getLogger(Late.class);

        private Late() {}

        static void stop() {
            LOG.info("stopped in order");
        }
    }

    /** A service that takes its time to stop. */
    static final class Service {
        private static final Logger LOG = LoggerFactory.getLogger(Service.class);

        private Service() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    // Until the hooks of others have run, as all begin at once
                    Thread.sleep(1000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                Late.stop();
            }));
            LOG.info("started");
        }
    }

    @Test
    void aServiceThatStopsCanUseClassesThatLog() throws Exception {
        Home home = new Home(directory);
        home.create();
        Path file = new LogConfiguration("search", "INFO", Map.of()).write(home);
        String tests = Path.of(Service.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        Process service = new ProcessBuilder(
                        Installation.java().toString(),
                        "-Dlog4j2.configurationFile=" + file,
                        "-cp",
                        tests + File.pathSeparator + new Installation(Program.root()).classPath("search-service"),
                        Service.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(service.getInputStream().readAllBytes(), UTF_8);
        assertThat(service.waitFor()).as(output).isZero();
        assertThat(output.lines())
                .anyMatch(line -> line.endsWith("started"))
                .anyMatch(line -> line.endsWith("stopped in order"));
    }
}

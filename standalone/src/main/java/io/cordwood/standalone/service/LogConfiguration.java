package io.cordwood.standalone.service;

import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Log4j 2 configuration that writes to the console. The supervisor redirects it to the service's log.
 *
 * @param name the service's name
 * @param rootLevel the level of all loggers without one of their own
 * @param levels levels of loggers
 */
record LogConfiguration(String name, String rootLevel, Map<String, String> levels) {

    /** Writes the configuration to the home and returns its file. */
    Path write(Home home) {
        // Log4j's own hook stops it while the service still stops. A class that is first used after that could not be
        // loaded, and the service would wait for it.
        StringBuilder text = new StringBuilder("""
                shutdownHook = disable
                appender.console.type = Console
                appender.console.name = console
                appender.console.layout.type = PatternLayout
                appender.console.layout.pattern = %d{ISO8601} %-5p [%t] %c{1} %m%n
                rootLogger.appenderRef.console.ref = console
                """);
        text.append("rootLogger.level = ").append(rootLevel).append('\n');
        int number = 0;
        for (Map.Entry<String, String> level : new TreeMap<>(levels).entrySet()) {
            String logger = "logger.l" + number++;
            text.append(logger).append(".name = ").append(level.getKey()).append('\n');
            text.append(logger).append(".level = ").append(level.getValue()).append('\n');
        }
        Path file = home.configuration().resolve(name + "-log4j2.properties");
        AtomicFiles.write(file, text.toString());
        return file;
    }
}

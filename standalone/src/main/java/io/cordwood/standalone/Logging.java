package io.cordwood.standalone;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.logging.ConsoleHandler;
import java.util.logging.FileHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The log of the command line's own process. It goes to standard error with {@code --debug}, and nowhere without. */
final class Logging {
    private static final int LARGEST_BYTES = 16 << 20;
    private static final Logger ROOT = Logger.getLogger("");

    private Logging() {}

    static void configure(boolean debug) {
        System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tF %1$tT %4$-7s %3$s %5$s%6$s%n");
        for (Handler handler : ROOT.getHandlers()) {
            ROOT.removeHandler(handler);
        }
        if (debug) {
            ConsoleHandler console = new ConsoleHandler();
            console.setLevel(Level.ALL);
            ROOT.addHandler(console);
            ROOT.setLevel(Level.INFO);
        } else {
            ROOT.setLevel(Level.OFF);
        }
    }

    /** Also sends the log of this process, the supervisor, to {@code log/supervisor.log}. */
    static void superviseIn(Home home) {
        try {
            FileHandler file = new FileHandler(home.log("supervisor").toString(), LARGEST_BYTES, 1, true);
            file.setFormatter(new SimpleFormatter());
            ROOT.addHandler(file);
            ROOT.setLevel(Level.WARNING);
        } catch (IOException e) {
            throw new CordwoodException("cannot write the log of " + home.directory() + ": " + Errors.text(e), e);
        }
    }

    /** Appends the stack trace of an error to {@code log/cli.log}, if the home has logs. */
    static void record(Home home, Exception failure) {
        Path log = home.log("cli");
        if (!Files.isDirectory(log.getParent())) {
            return;
        }
        StringWriter text = new StringWriter();
        text.append(Instant.now().toString()).append(' ');
        failure.printStackTrace(new PrintWriter(text, true));
        try {
            Files.writeString(
                    log, text.toString(), StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException unwritable) {
            failure.addSuppressed(unwritable);
        }
    }
}

package io.cordwood.gateway.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.gateway.ClientProcess;
import io.cordwood.gateway.ClosedGateway;
import io.cordwood.gateway.GatewayFixture;
import io.cordwood.services.FreePort;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What applications tell rsyslog and syslog-ng, and these ship to the gateway, arrives: every row with all fields. */
@Tag("slow")
final class SyslogDaemonsIT {
    private static final int LINES = 500;
    private static final String RFC_5424 =
            "\"<%pri%>1 %timestamp:::date-rfc3339% %hostname% %app-name% %procid% %msgid%"
                    + " [cordwood@32473 OWN]%structured-data:R,ERE,0,BLANK:\\\\[.*--end%"
                    + "%msg:::sp-if-no-1st-sp%%msg%\\n\"";

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

    private static ClosedGateway closed;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start(@TempDir Path home) throws Exception {
        TestServices.rsyslog();
        TestServices.syslogNg();
        closed = ClosedGateway.beside(gateway, Files.createDirectory(home.resolve("closed")));
    }

    @AfterAll
    static void stop() throws Exception {
        if (closed != null) {
            closed.close();
        }
    }

    @Test
    void rsyslogWithLengths() throws Exception {
        List<LoggedLine> lines = lines("\n\tsecond line");
        ship(
                this::rsyslog,
                """
            template(name="cordwood" type="string" string=%s)
            action(type="omfwd" target="127.0.0.1" port="%s" protocol="tcp" TCP_Framing="octet-counted"
              template="cordwood")
            """.formatted(RFC_5424.replace("OWN", "tenant=\\\"rsyslog-lengths\\\""), port(gateway.syslog())),
                lines,
                LoggedLine::rfc5424,
                "rsyslog-lengths",
                LoggedLine::row);
    }

    /** The format of rsyslog for other rsyslogs; its tag has no colon where the message came as RFC 5424. */
    @Test
    void rsyslogWithLinesAndTheFormatOfForwarding() throws Exception {
        ship(
                this::rsyslog,
                """
            action(type="omfwd" target="127.0.0.1" port="%s" protocol="tcp" template="RSYSLOG_ForwardFormat")
            """.formatted(port(gateway.syslog())),
                lines(" forwarded"),
                LoggedLine::rfc5424,
                "default",
                LoggedLine::rowWithTime);
    }

    /** As {@code *.* @@host:port} sends; the time has no year. */
    @Test
    void rsyslogAsItIs() throws Exception {
        ship(
                this::rsyslog,
                """
            *.* @@127.0.0.1:%s
            """.formatted(port(gateway.syslog())),
                lines(" as it is"),
                LoggedLine::rfc3164,
                "default",
                LoggedLine::headOfRow);
    }

    @Test
    void rsyslogOverTls() throws Exception {
        ship(
                this::rsyslog,
                documented("rsyslog-gateway.conf", "rsyslog-tls"),
                lines("\n\tsecond line"),
                LoggedLine::rfc5424,
                "rsyslog-tls",
                LoggedLine::row);
    }

    /** The classic format of messages reaches the gateway as RFC 5424 too. */
    @Test
    void rsyslogOverTlsOfClassicMessages() throws Exception {
        ship(
                this::rsyslog,
                documented("rsyslog-gateway.conf", "rsyslog-classic"),
                lines(" over TLS"),
                LoggedLine::rfc3164,
                "rsyslog-classic",
                LoggedLine::headOfRow);
    }

    @Test
    void rsyslogAsToElasticsearch() throws Exception {
        String key = closed.keyOf("rsyslog-elastic");
        ship(
                this::rsyslog,
                """
            module(load="omelasticsearch")
            template(name="cordwood" type="list" option.jsonf="on") {
              property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
              property(outname="level" name="syslogseverity-text" format="jsonf")
              property(outname="host" name="hostname" format="jsonf")
              property(outname="app" name="app-name" format="jsonf")
              property(outname="message" name="msg" format="jsonf")
            }
            action(type="omelasticsearch" server="https://localhost" serverport="%d" uid="any" pwd="%s"
              tls.cacert="%s" searchIndex="logs" searchType="" bulkmode="on" template="cordwood")
            """.formatted(closed.uri().getPort(), key, closed.authority()),
                lines("\n\tsecond line"),
                LoggedLine::rfc5424,
                "rsyslog-elastic",
                line -> {
                    Map<String, Object> row = new HashMap<>(line.rowWithTime());
                    row.keySet().removeAll(List.of("facility", "procid"));
                    row.replace("level", "error", "err");
                    return row;
                });
    }

    @Test
    void syslogNgWithLengths() throws Exception {
        ship(
                this::syslogNg,
                """
            options { frac-digits(6); };
            rewrite own { set("syslog-ng-lengths", value(".SDATA.cordwood@32473.tenant")); };
            destination cordwood { syslog("127.0.0.1" port(%s) transport("tcp")); };
            log { source(s_src); rewrite(own); destination(cordwood); };
            """.formatted(port(gateway.syslog())),
                lines("\n\tsecond line"),
                LoggedLine::rfc5424,
                "syslog-ng-lengths",
                LoggedLine::row);
    }

    /** Its older driver; the time has no year. */
    @Test
    void syslogNgWithLines() throws Exception {
        ship(
                this::syslogNg,
                """
            destination cordwood { network("127.0.0.1" port(%s) transport("tcp")); };
            log { source(s_src); destination(cordwood); };
            """.formatted(port(gateway.syslog())),
                lines(" of syslog-ng"),
                LoggedLine::rfc5424,
                "default",
                LoggedLine::headOfRow);
    }

    @Test
    void syslogNgOverTls() throws Exception {
        ship(
                this::syslogNg,
                documented("syslog-ng-gateway.conf", "syslog-ng-tls"),
                lines("\n\tsecond line"),
                LoggedLine::rfc5424,
                "syslog-ng-tls",
                LoggedLine::row);
    }

    /** A configuration of docs/use/clients with the places and the key of this test. */
    private static String documented(String name, String tenant) throws Exception {
        return Files.readString(Path.of("..", "docs", "use", "clients", name).toAbsolutePath())
                .replace("/etc/cordwood/ca.pem", closed.authority().toString())
                .replace("gateway.example", "localhost")
                .replace("6514", port(closed.syslog()))
                .replace("KEY", closed.keyOf(tenant));
    }

    /** Starts a daemon that listens on the port and ships as the configuration says. */
    @FunctionalInterface
    private interface Daemon {
        ClientProcess start(int port, String shipping) throws IOException, InterruptedException;
    }

    private ClientProcess rsyslog(int port, String shipping) throws IOException, InterruptedException {
        String configuration = """
            global(workDirectory="%s" parser.escapeControlCharactersOnReceive="off")
            module(load="imtcp")
            input(type="imtcp" address="127.0.0.1" port="%d")
            """.formatted(directory, port) + shipping;
        return start(
                TestServices.rsyslog(),
                "-n",
                "-i",
                directory.resolve("pid").toString(),
                "-f",
                Files.writeString(directory.resolve("rsyslog.conf"), configuration)
                        .toString());
    }

    private ClientProcess syslogNg(int port, String shipping) throws IOException, InterruptedException {
        String configuration = """
            @version: 3.38
            options { keep-hostname(yes); };
            source s_src { syslog(ip("127.0.0.1") port(%d) transport("tcp")); };
            """.formatted(port) + shipping;
        return start(
                TestServices.syslogNg(),
                "--foreground",
                "--no-caps",
                "--cfgfile=" + Files.writeString(directory.resolve("syslog-ng.conf"), configuration),
                "--persist-file=" + directory.resolve("persist"),
                "--pidfile=" + directory.resolve("pid"),
                "--control=" + directory.resolve("control"));
    }

    private ClientProcess start(List<String> daemon, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(daemon);
        command.addAll(List.of(arguments));
        return ClientProcess.start(directory.resolve("output"), command);
    }

    private static List<LoggedLine> lines(String ending) {
        return IntStream.range(0, LINES)
                .mapToObj(i -> new LoggedLine(i, ending))
                .toList();
    }

    private static String port(SyslogServer server) {
        return server.address().replaceFirst(".*:", "");
    }

    /** Lets a daemon ship lines, and compares the rows. */
    private static void ship(
            Daemon daemon,
            String shipping,
            List<LoggedLine> lines,
            Function<LoggedLine, String> format,
            String tenant,
            Function<LoggedLine, Map<String, Object>> row)
            throws Exception {
        Map<Object, Map<String, Object>> expected = new HashMap<>();
        lines.forEach(line -> expected.put(line.text(), row.apply(line)));
        int port = FreePort.choose();
        try (ClientProcess running = daemon.start(port, shipping)) {
            tell(running, port, lines.stream().map(format).toList());
            Waiting.until("all rows are there", () -> {
                running.requireAlive();
                return rows(tenant, lines).size() >= lines.size();
            });
        }
        List<Map<String, Object>> rows = rows(tenant, lines);
        assertThat(rows).hasSameSizeAs(lines);
        Map<Object, Map<String, Object>> found = new HashMap<>();
        for (Map<String, Object> each : rows) {
            if (!expected.values().iterator().next().containsKey("ts")) {
                each.keySet().removeAll(List.of("ts", "attributes"));
            }
            found.put(each.get("message"), each);
        }
        assertThat(found).isEqualTo(expected);
    }

    /** The tenant's rows of this test. */
    private static List<Map<String, Object>> rows(String tenant, List<LoggedLine> lines) throws Exception {
        String ending = lines.getFirst().ending();
        return gateway.timedMembers(tenant).stream()
                .filter(row -> row.get("message").toString().endsWith(ending))
                .toList();
    }

    /** Sends messages to the daemon once it listens, each with its length before it. */
    private static void tell(ClientProcess running, int port, List<String> messages) throws Exception {
        Waiting.until("the daemon listens", () -> {
            running.requireAlive();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                    OutputStream out = socket.getOutputStream()) {
                for (String message : messages) {
                    byte[] bytes = message.getBytes(UTF_8);
                    out.write((bytes.length + " ").getBytes(UTF_8));
                    out.write(bytes);
                }
                return true;
            } catch (ConnectException e) {
                return false;
            }
        });
    }
}

package io.cordwood.catalog.pipeline;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.re2j.Matcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of grok find what their names say, whole, in lines of the usual formats. */
class GrokTest {
    private static final String COMMON_LOG =
            "203.0.113.7 - frank [10/Oct/2025:13:55:36 -0700] \"GET /a?b=c HTTP/1.1\" 200 2326";
    private static final String SYSLOG_LINE = "Nov  7 06:25:01 web-1 CRON[4711]: (root) CMD (run-parts)";
    private static final String NGINX_ERROR =
            "2026/11/27 16:27:15 [error] 1234#5: *6 open() \"/x\" failed (2: No such file or directory)";

    /** Of each pattern a text that it matches as a whole. */
    private static final Map<String, String> EXAMPLES = Map.ofEntries(
            entry("USERNAME", "jane.doe-1"),
            entry("USER", "root"),
            entry("EMAILADDRESS", "jane+logs@mail.example.org"),
            entry("INT", "-12"),
            entry("POSINT", "120"),
            entry("NONNEGINT", "0"),
            entry("NUMBER", "-1.5e-3"),
            entry("BASE16NUM", "0xdeadBEEF"),
            entry("WORD", "GET"),
            entry("NOTSPACE", "a:b;c"),
            entry("SPACE", "  \t"),
            entry("DATA", "any text"),
            entry("GREEDYDATA", "any text"),
            entry("QUOTEDSTRING", "\"say \\\"hi\\\"\""),
            entry("QS", "'it'"),
            entry("UUID", "123e4567-e89b-12d3-a456-426614174000"),
            entry("IPV4", "192.0.2.255"),
            entry("IPV6", "2001:db8::ff00:42:8329"),
            entry("IP", "fe80::1%eth0"),
            entry("HOSTNAME", "web-1.example.org"),
            entry("IPORHOST", "10.0.0.1"),
            entry("HOSTPORT", "db.example.org:5432"),
            entry("MAC", "00:1B:44:11:3a:b7"),
            entry("UNIXPATH", "/var/log/app.log"),
            entry("WINPATH", "C:\\Windows\\System32"),
            entry("PATH", "\\\\server\\share"),
            entry("URIPROTO", "https"),
            entry("URIHOST", "example.org:8080"),
            entry("URIPATH", "/a/b.html"),
            entry("URIPARAM", "?a=b&c=d"),
            entry("URIPATHPARAM", "/a?b=c"),
            entry("URI", "https://jane@example.org:8080/a/b?c=d"),
            entry("YEAR", "2026"),
            entry("MONTH", "November"),
            entry("MONTHNUM", "12"),
            entry("MONTHDAY", "27"),
            entry("DAY", "Friday"),
            entry("HOUR", "23"),
            entry("MINUTE", "59"),
            entry("SECOND", "60.123"),
            entry("TIME", "16:27:15,042"),
            entry("TZ", "CEST"),
            entry("ISO8601_TIMEZONE", "+05:30"),
            entry("TIMESTAMP_ISO8601", "2026-11-27T16:27:15.042+01:00"),
            entry("HTTPDATE", "10/Oct/2025:13:55:36 -0700"),
            entry("SYSLOGTIMESTAMP", "Nov 27 16:27:15"),
            entry("SYSLOGTIME", "2026-11-27T16:27:15Z"),
            entry("PROG", "kernel"),
            entry("SYSLOGPROG", "sshd[4711]"),
            entry("SYSLOGLINE", SYSLOG_LINE),
            entry("LOGLEVEL", "WARNING"),
            entry("COMMONAPACHELOG", COMMON_LOG),
            entry("COMBINEDAPACHELOG", COMMON_LOG + " \"https://example.org/\" \"Mozilla/5.0 (X11)\""),
            entry("NGINXERROR", NGINX_ERROR));

    /** Columns with the texts that the first match in a line gives them. */
    private static Map<String, String> columns(String grok, String line) {
        ColumnPattern pattern = ColumnPattern.of(Step.Parse.Format.GROK, grok);
        Matcher matcher = pattern.matcher(line);
        assertThat(matcher.find()).as("%s in %s", grok, line).isTrue();
        Map<String, String> columns = new LinkedHashMap<>();
        for (ColumnPattern.Group group : pattern.groups()) {
            if (matcher.group(group.number()) != null) {
                columns.put(
                        group.isNumber() ? group.column() + ":number" : group.column(), matcher.group(group.number()));
            }
        }
        return columns;
    }

    @Test
    void everyPatternCompilesAndMatchesAnExample() {
        assertThat(EXAMPLES.keySet()).isEqualTo(GrokPatterns.ALL.keySet());
        EXAMPLES.forEach((name, example) ->
                assertThat(columns("^%{" + name + ":whole}$", example)).containsEntry("whole", example));
    }

    /** Without an anchor after it, a pattern takes its first alternative that matches. */
    @Test
    void everyPatternTakesTheWholeOfItsExample() {
        EXAMPLES.forEach((name, example) -> {
            if (!name.equals("DATA")) {
                assertThat(columns("^%{" + name + ":whole}", example)).containsEntry("whole", example);
            }
        });
    }

    @Test
    void everyPatternIsDocumented() throws IOException {
        assertThat(Files.readString(Path.of("../docs/use/pipelines.md")))
                .contains(GrokPatterns.ALL.keySet().stream()
                        .map(name -> "`" + name + "`")
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::",
                "::1",
                "1::",
                "fe80::1",
                "1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7::",
                "1::3:4:5:6:7:8",
                "1:2:3::6:7:8",
                "::ffff:192.0.2.1",
                "64:ff9b::192.0.2.33",
                "1:2:3:4:5:6:192.0.2.1"
            })
    void everyFormOfAnAddressIsFoundWhole(String address) {
        assertThat(columns("%{IP:ip}", "at 12:30:45 from " + address + " port")).containsEntry("ip", address);
    }

    @Test
    void aLineOfApacheIsParsed() {
        assertThat(columns(
                        "%{COMBINEDAPACHELOG}",
                        "203.0.113.7 - - [27/Nov/2026:16:27:15 +0000] \"POST /api/v1/orders HTTP/2.0\" 503 - \"-\""
                                + " \"curl/8.5.0\""))
                .isEqualTo(Map.of(
                        "clientip", "203.0.113.7",
                        "ident", "-",
                        "auth", "-",
                        "timestamp", "27/Nov/2026:16:27:15 +0000",
                        "verb", "POST",
                        "request", "/api/v1/orders",
                        "httpversion", "2.0",
                        "response:number", "503",
                        "referrer", "-",
                        "agent", "curl/8.5.0"));
        assertThat(columns("%{COMMONAPACHELOG}", COMMON_LOG.replace("GET /a?b=c HTTP/1.1", "\\x16\\x03")))
                .containsEntry("rawrequest", "\\x16\\x03")
                .containsEntry("bytes:number", "2326")
                .doesNotContainKey("verb");
    }

    @Test
    void aLineOfSyslogIsParsed() {
        assertThat(columns("%{SYSLOGLINE}", SYSLOG_LINE))
                .isEqualTo(Map.of(
                        "timestamp", "Nov  7 06:25:01",
                        "host", "web-1",
                        "program", "CRON",
                        "pid:number", "4711",
                        "text", "(root) CMD (run-parts)"));
        assertThat(columns("%{SYSLOGLINE}", "<6>2026-11-27T06:25:01.123456+01:00 web-1 kernel: eth0: link up"))
                .isEqualTo(Map.of(
                        "timestamp", "2026-11-27T06:25:01.123456+01:00",
                        "host", "web-1",
                        "program", "kernel",
                        "text", "eth0: link up"));
    }

    @Test
    void aLineOfNginxIsParsed() {
        assertThat(columns("%{NGINXERROR}", NGINX_ERROR))
                .isEqualTo(Map.of(
                        "level",
                        "error",
                        "pid:number",
                        "1234",
                        "tid:number",
                        "5",
                        "text",
                        "*6 open() \"/x\" failed (2: No such file or directory)"));
    }

    @Test
    void columnsHaveTypesAndDottedNames() {
        assertThat(columns(
                        "%{INT:a:int} %{NUMBER:b:float} %{WORD:c:string} %{WORD:d-e} %{INT:[http][status]:long}"
                                + " (?P<f>x+)",
                        "1 2.5 three four 200 xx"))
                .isEqualTo(Map.of(
                        "a:number", "1",
                        "b:number", "2.5",
                        "c", "three",
                        "d-e", "four",
                        "http.status:number", "200",
                        "f", "xx"));
        assertThat(columns("%{TIMESTAMP_ISO8601:at} 100%", "2026-11-27 16:27 100%"))
                .containsEntry("at", "2026-11-27 16:27");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%{INT:a:bool}", "%{NOPE:a}", "%{INT:a", "%{INT:a b}", "%{INT:a:int:b}", "%{}", "%{INT:ä}"})
    void wrongReferencesAreRefused(String grok) {
        String reason = switch (grok) {
            case "%{INT:a:bool}" -> "'bool' is no type of grok: use int, float or string";
            case "%{NOPE:a}" -> "There is no grok pattern 'NOPE': use a regular expression in its place";
            default -> "is malformed: write %{PATTERN}, %{PATTERN:column} or %{PATTERN:column:int}";
        };
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ColumnPattern.of(Step.Parse.Format.GROK, "%{INT:x} " + grok))
                .withMessageContaining(reason);
    }
}

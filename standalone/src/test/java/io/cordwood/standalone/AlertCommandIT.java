package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.Comparison;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alert rules from the command line, on a catalog service. */
final class AlertCommandIT {
    @TempDir
    private Path directory;

    private CatalogServer server;
    private CatalogClient catalog;

    private record Run(int code, String out, String err) {}

    @BeforeEach
    void start() throws Exception {
        Home home = new Home(directory);
        home.create();
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
        new Endpoints("", "", server.uri().toString(), "", "", "", "", "", "", "", "", "", "").write(home);
        catalog = CatalogClient.connect(server.uri(), Map.of());
        catalog.putTenant(Tenant.of("acme"));
    }

    @AfterEach
    void stop() {
        catalog.close();
        server.close();
    }

    private Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--home", directory.toString()));
        int code = Cordwood.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
        return new Run(code, out.toString(), err.toString());
    }

    private String ok(String... arguments) {
        Run run = run(arguments);
        assertThat(run.code()).as(run.err()).isZero();
        return run.out();
    }

    private String failed(String... arguments) {
        Run run = run(arguments);
        assertThat(run.code()).isNotZero();
        assertThat(run.err()).hasLineCount(1);
        return run.err();
    }

    @Test
    void rulesAreSetListedAndRemoved() {
        assertThat(ok(
                        "alert",
                        "set",
                        "errors",
                        "--tenant=acme",
                        "--query=level:error -retry",
                        "--when=>=100",
                        "--window=5min",
                        "--every=30s",
                        "--for=2min",
                        "--label=severity=page",
                        "--annotation=summary=Many errors",
                        "--samples=5"))
                .isEmpty();
        assertThat(catalog.alerts("acme"))
                .singleElement()
                .extracting(alert -> alert.rule())
                .isEqualTo(new AlertRule(
                        "acme",
                        "logs",
                        "errors",
                        "level:error -retry",
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(2),
                        Comparison.AT_LEAST,
                        100,
                        Map.of("severity", "page"),
                        Map.of("summary", "Many errors"),
                        5));
        ok("alert", "set", "silence", "--tenant=acme", "--when", "<1", "--window=1h");
        assertThat(ok("alert", "list"))
                .containsPattern(
                        "acme +\\| errors +\\| logs +\\| level:error -retry +\\| >=100 +\\| 300s +\\| inactive")
                .containsPattern("acme +\\| silence +\\| logs +\\|  +\\| <1");
        ok("alert", "remove", "silence", "--tenant=acme");
        assertThat(ok("alert", "list", "--tenant=acme")).doesNotContain("silence");
        assertThat(failed("alert", "remove", "silence", "--tenant=acme"))
                .contains("tenant acme has no alert rule silence");
    }

    @Test
    void badRulesAreRefusedWithTheReason() {
        assertThat(failed("alert", "set", "a", "--tenant=acme", "--when=many", "--window=1h"))
                .contains("'many' is not one of >, >=, <, <= and a number");
        assertThat(failed("alert", "set", "a", "--tenant=acme", "--when=>1", "--window=1h", "--query=(level:error"))
                .contains("at position 1");
        assertThat(failed("alert", "set", "a b", "--tenant=acme", "--when=>1", "--window=1h"))
                .contains("cannot be the name of a rule");
        assertThat(failed("alert", "set", "a", "--tenant=acme", "--when=>1", "--window=8d"))
                .contains("'window' must be whole seconds, 1 to 604800");
        assertThat(failed("alert", "set", "a", "--tenant=nobody", "--when=>1", "--window=1h"))
                .contains("No tenant with schema 'nobody' is registered");
    }
}

package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CordwoodTest {
    /** 128 bytes. */
    private static final String LONG = "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
            + "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path home;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "demo",
                "up",
                "down",
                "status",
                "produce",
                "sql",
                "search",
                "tail",
                "tenant",
                "tenant list",
                "tenant show",
                "tenant set",
                "tenant delete",
                "secret",
                "backup",
                "restore",
                "verify",
                "secret list",
                "secret rotate"
            })
    void everyCommandHasHelp(String command) {
        assertThat(run((command + " --help").strip().split(" ", -1))).isZero();
        assertThat(out.toString()).startsWith(("Usage: cordwood " + command).strip());
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                   | which command?",
                "secret rotate                        | Missing required parameter: 'NAME'",
                "secret rotate ca.pem                 | 'ca.pem' is not a secret that can be rotated: `bin/cordwood secret list` has the names",
                "secret rotate --announce redis.pem   | --announce goes with ca alone",
                "backup                               | Missing required option: '--to=PLACE'",
                "backup --to gs://b/p                 | --to: gs://b/p is neither a directory nor s3://BUCKET/PREFIX",
                "backup --to d --s3-path-style        | --s3-endpoint, --s3-region and --s3-path-style need --warehouse s3://BUCKET/PREFIX",
                "verify --remove                      | files that are restored later are then in no table: confirm with --yes",
                "restore                              | Missing required option: '--from=PLACE'",
                "restore --from s3://b                | --from: s3://b is neither a directory nor s3://BUCKET/PREFIX",
                "frobnicate                           | Unmatched argument at index 0: 'frobnicate'",
                "up --partitions many                 | Invalid value for option '--partitions': 'many' is not a whole number from 1 to 10000",
                "up --partitions 0                    | Invalid value for option '--partitions': '0' is not a whole number from 1 to 10000",
                "up --streams Logs                    | Invalid value for option '--streams' (NAME): 'Logs' cannot be the name of a stream: SQL finds tables by names in lower case; ship to a topic 'logs'",
                "up --streams a.b                     | --streams: a.b is not a name (a-z, 0-9, _ and -)",
                "up --columns logs=latency:decimal    | --columns: 'latency:decimal' is not name:type",
                "up --columns other=latency:bigint    | --columns: there is no stream other",
                "up --text logs                       | --text: 'logs' is not STREAM=name,...",
                "up --text logs=,                     | --text: 'logs=,' is not STREAM=name,...",
                "up --text logs=body:varchar          | --text: 'logs=body:varchar' is not STREAM=name,...",
                "up --balancer colour=red             | --balancer: there is no option colour",
                "up --balancer max-workers=many       | --balancer: max-workers: 'many' is not a whole number from 0 to 1024",
                "up --balancer max-workers=2.5        | --balancer: max-workers: '2.5' is not a whole number from 0 to 1024",
                "up --balancer worker-capacity=0      | --balancer: worker-capacity: '0' is not a number from 1 to 1000000000000000",
                "up --balancer watermark=7            | --balancer: watermark: '7' is not a number from 0.01 to 1",
                "up --balancer quotas=yes             | --balancer: quotas: 'yes' is not true or false",
                "up --compaction interval=soon        | --compaction: interval: 'soon' is not a time from 100 ms",
                "up --compaction dense-after-days=1d  | --compaction: dense-after-days: '1d' is not a whole number from 0 to 100000",
                "up --compaction zstd-level=23        | --compaction: zstd-level: '23' is not a whole number from 1 to 22",
                "up --search colour=red               | --search: there is no option colour",
                "up --search max-scan-size=much       | --search: max-scan-size: 'much' is not a size",
                "up --search question-timeout=1ms     | --search: question-timeout: '1ms' is not a time from 100 ms",
                "up --search max-questions=0          | --search: max-questions: '0' is not a whole number from 1",
                "up --kafka localhost                 | --kafka: localhost is not host:port",
                "up --redis localhost:6379            | Invalid value for option '--redis': 'localhost:6379' is not an address such as redis://127.0.0.1:6379",
                "up --catalog-db mysql                | Invalid value for option '--catalog-db': 'mysql' is not a jdbc:sqlite: or jdbc:postgresql: URL",
                "up --warehouse gs://bucket/logs      | --warehouse: gs://bucket/logs is neither a directory nor s3://BUCKET/PREFIX",
                "up --warehouse s3://bucket           | --warehouse: s3://bucket is neither a directory nor s3://BUCKET/PREFIX",
                "up --checkpoint-dir hdfs://a/b       | --checkpoint-dir: hdfs://a/b is neither a directory nor s3://BUCKET/PREFIX",
                "up --warehouse s3://b/p --s3-endpoint 127.0.0.1:9000 | --s3-endpoint: 127.0.0.1:9000 is not an http(s) URL",
                "up --s3-path-style                   | --s3-endpoint, --s3-region and --s3-path-style need --warehouse s3://BUCKET/PREFIX",
                "up --kafka a:1 --kafka-properties x  | --kafka-properties: cannot read x",
                "up --max-age 0                       | Invalid value for option '--max-age': '0' is not a whole number from 1 to 86400",
                "up --default-tenant=                 | Invalid value for option '--default-tenant': an id has 1 to 128 bytes, not 0",
                "up --default-tenant \u00e4" + LONG
                        + " | Invalid value for option '--default-tenant': an id has 1 to 128 bytes, not 130",
                "demo --rows 5                        | --rows: at least 20000, not 5",
                "tenant                               | list, show, set, pipeline or delete?",
                "tenant set acme --stream logs        | --stream needs --retention",
                "tenant set acme --retention -1       | --retention: -1 is not a number of days",
                "tenant set acme --retention default  | --retention: default is not a number of days",
                "tenant delete acme                   | this deletes all rows of tenant acme: confirm with --yes",
                "tenant set acme --quota -1           | --quota: -1 is below 0",
                "tenant show \u00e4" + LONG
                        + "      | Invalid value for positional parameter at index 0 (TENANT): an id has 1 to 128 bytes, not 130",
                "tenant set \u00e4" + LONG
                        + " --quota 1 | Invalid value for positional parameter at index 0 (TENANT): an id has 1 to 128 bytes, not 130",
                "tenant show                          | Missing required parameter: 'TENANT'",
                "user                                 | add, list, grant, revoke, kafka-login or remove?",
                "user add                             | Missing required parameter: 'NAME'",
                "user grant alice --role reader       | Missing required option: '--tenant=T'",
                "user grant alice --tenant a          | Missing required option: '--role=R'",
                "user grant alice --tenant a --role owner | Invalid value for option '--role' (R): expected one of [READER, DELETER, WRITER]",
                "token                                | create, exchange, list or revoke?",
                "token create                         | Missing required option: '--user=U'",
                "token create --user a --tenant t     | --tenant and --role go together",
                "token create --user a --stream logs  | --stream needs --tenant",
                "token create --user a --for records  | --for=records needs --tenant",
                "token create --user a --for records --tenant t --role reader | --for=records needs --tenant",
                "up --issuer https://sso              | --issuer needs --auth",
                "up --auth --issuer http://198.51.100.1 | --issuer: The issuer 'http://198.51.100.1' is no https URL",
                "token create --user a --expires soon | --expires: 'soon' is not a number of s, m, h or d",
                "token revoke                         | Missing required parameter: 'ID'",
                "produce                              | Missing required option: '--tenant=T'",
                "produce --tenant=                    | Invalid value for option '--tenant': an id has 1 to 128 bytes, not 0",
                "produce --tenant=\u00e4" + LONG
                        + "  | Invalid value for option '--tenant': an id has 1 to 128 bytes, not 130",
                "sql ;                                | no SQL given",
                "search x                             | Missing required option: '--tenant=T'",
                "search --tenant a                    | Missing required parameter: 'QUERY'",
                "search x --tenant=                   | Invalid value for option '--tenant': an id has 1 to 128 bytes, not 0",
                "search x --tenant a --limit 0        | Invalid value for option '--limit': '0' is not a whole number from 1 to 100000",
                "search x --tenant a --limit 100001   | Invalid value for option '--limit': '100001' is not a whole number from 1 to 100000",
                "search x --tenant a --limt 5         | Unknown options: '--limt', '5'",
                "search x --tenant a --follow --to now | --to and --follow exclude each other",
                "tail                                 | Missing required option: '--tenant=T'",
                "tail --tenant=                       | Invalid value for option '--tenant': an id has 1 to 128 bytes, not 0",
                "tail --tenant a --since 5x           | Invalid value for option '--since': '5x' is not a time",
                "tail --tenant a --lines 10001        | Invalid value for option '--lines': '10001' is not a whole number from 0 to 10000",
                "tail --tenant a --lines 5 --since 5m | --since and --lines exclude each other",
                "tail --tenant a --column text        | --column needs --match",
                "tail --tenant a --match (            | --match: ",
                "service trino --coordinator trino:8080 | --coordinator: 'trino:8080' is not http://HOST:PORT",
                "service trino --coordinator http://trino | --coordinator: 'http://trino' is not http://HOST:PORT",
                "service trino --coordinator http://a_b:8080 | --coordinator: 'http://a_b:8080' is not http://HOST:PORT",
                "service trino-worker --coordinator https://a:8080 | --coordinator: 'https://a:8080' is not http://HOST:PORT",
                "service trino-worker --coordinator http://[a:8080 | --coordinator: 'http://[a:8080' is not http://HOST:PORT",
                "service flink --jobmanager flink      | --jobmanager: 'flink' is not HOST:PORT",
                "service flink-taskmanager --slots 0  | Invalid value for option '--slots': '0' is not a whole number from 1 to 128",
            })
    void wrongUseIsOneLineAndCodeTwo(String arguments, String message) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" +", -1)))
                .isEqualTo(2);
        assertThat(err.toString())
                .startsWith("cordwood: " + message)
                .hasLineCount(1)
                .contains("--help");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sql|SELECT 1|no stack is ready in",
                "produce|--tenant=acme|no stack is ready in",
                "tail|--tenant=acme|no stack is ready in",
                "search|--tenant=acme;x|no stack is ready in",
                "down||there is no stack in",
            })
    void withoutAStackCommandsSaySo(String command, String argument, String message) {
        List<String> arguments = new ArrayList<>(List.of(command, "--home", home.toString()));
        if (argument != null) {
            arguments.addAll(List.of(argument.split(";", -1)));
        }
        assertThat(run(arguments.toArray(String[]::new))).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("cordwood " + command + ": " + message)
                .hasLineCount(1)
                .contains(home.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "flink, --jobmanager, ingest.example:6123",
        "flink-taskmanager, --jobmanager, ingest.example:6123",
        "trino, --coordinator, http://trino.example:8080",
        "trino-worker, --coordinator, http://trino.example:8080",
    })
    void aServiceThatItsClusterCannotReachIsNotStarted(String service, String option, String address) {
        String root = System.setProperty("cordwood.root", home.toString());
        try {
            assertThat(run("service", service, "--home", home.toString(), option, address))
                    .isEqualTo(1);
        } finally {
            restore("cordwood.root", root);
        }
        assertThat(err.toString())
                .startsWith(
                        "cordwood service: --bind 127.0.0.1 can be reached from this machine only, and %s is %s: set --bind"
                                .formatted(option, address))
                .hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.0.0.7", "::", "stack.example"})
    void aServiceThatOthersReachIsNotStartedWithoutAuthentication(String address) {
        assertThat(run("service", "catalog", "--home", home.toString(), "--bind", address))
                .isEqualTo(1);
        assertThat(err.toString())
                .startsWith(
                        "cordwood service: --bind %s opens the service to others, who would need no identity: give --secrets DIR"
                                .formatted(address))
                .hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aStackWithAuthenticationHasNoExternalServices() {
        assertThat(run("up", "--home", home.toString(), "--auth", "--kafka", "k:9092"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--auth sets up the stack's own Kafka, Redis and catalog");
    }

    private static void restore(String property, String value) {
        if (value == null) {
            System.clearProperty(property);
        } else {
            System.setProperty(property, value);
        }
    }

    @Test
    void statusWithoutAStackIsOne() {
        assertThat(run("status", "--home", home.toString())).isEqualTo(1);
        assertThat(out.toString()).hasLineCount(1).startsWith("no stack runs in " + home);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--detach", "--detach=true", "@options"})
    void detachedProcessDoesNotDetachAgain(String option) throws Exception {
        Path options = Files.writeString(home.resolve("options"), "--detach\n");
        String argument = option.replace("@options", "@" + options);
        assertThat(Detached.command(List.of("up", argument)))
                .contains("-Dcordwood.detached=true")
                .endsWith("up", argument);

        System.setProperty("cordwood.detached", "true");
        try {
            // Ends before anything is started, since no installation is named here.
            assertThat(run("up", "--home", home.toString(), argument)).isEqualTo(1);
        } finally {
            System.clearProperty("cordwood.detached");
        }
        assertThat(err.toString()).contains("cordwood.root");
        assertThat(home.resolve("log/up.log")).doesNotExist();
    }

    @Test
    void missingInputIsReportedBeforeAnythingIsSent() {
        assertThat(run("produce", "--home", home.toString(), "--tenant", "acme", home + "/absent.log"))
                .isEqualTo(1);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "cordwood produce: cannot read %s/absent.log: no such file\n".formatted(home));
    }

    @Test
    void stackTraceGoesToTheLogAndToTheUserOnDemandOnly() throws Exception {
        Files.createDirectories(home.resolve("log"));

        run("sql", "--home", home.toString(), "SELECT 1");
        assertThat(err.toString()).doesNotContain("\tat ");
        assertThat(home.resolve("log/cli.log")).content().contains("\tat io.cordwood.standalone");

        run("sql", "--debug", "--home", home.toString(), "SELECT 1");
        assertThat(err.toString()).contains("\tat io.cordwood.standalone");
    }

    private int run(String... arguments) {
        return Cordwood.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}

package io.cordwood.standalone;

import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.secret.Login;
import io.cordwood.standalone.sql.ResultPrinter;
import io.cordwood.standalone.sql.SqlClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sql}: runs a statement on the stack's Trino. */
@Command(name = "sql", description = "Runs SQL on the stack and prints the rows.")
final class SqlCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private TokenOptions tokenOptions;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SQL",
            description = "the statement (default: from standard input)")
    private String sql;

    @Option(names = "--json", description = "one JSON object a line instead of a table")
    private boolean json;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "run as this user (default: your own name, or with --auth the one of the token)")
    private String user;

    @Option(
            names = "--session",
            paramLabel = "NAME=VALUE",
            description = "a session property, for instance cordwood.use_index=false")
    private Map<String, String> session = Map.of();

    @Override
    public Integer call() throws IOException {
        String statement = statement();
        PrintWriter out = spec.commandLine().getOut();
        Endpoints endpoints = Endpoints.read(homeOptions.home());
        Login login = tokenOptions.login(endpoints);
        try (SqlClient client = SqlClient.connect(endpoints.trino(), user(login), session, login)) {
            long begun = System.nanoTime();
            if (json) {
                client.query(statement, rows -> ResultPrinter.json(rows, out));
            } else {
                long count = client.query(statement, rows -> ResultPrinter.table(rows, out));
                out.printf(
                        "(%,d row%s, %.2f s)%n",
                        count,
                        count == 1 ? "" : "s",
                        Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1e3);
            }
        }
        return 0;
    }

    private String user(Login login) {
        if (user != null) {
            return user;
        }
        return login.secrets().isPresent() ? "" : System.getProperty("user.name");
    }

    private String statement() throws IOException {
        String text = sql == null ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : sql;
        String statement = text.strip().replaceFirst(";$", "").strip();
        if (statement.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "no SQL given");
        }
        return statement;
    }
}

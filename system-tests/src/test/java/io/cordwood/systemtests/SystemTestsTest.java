package io.cordwood.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SystemTestsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nothing-of-that-name",
                "balance --live --parts nothing-of-that-name",
                "balance --parts BURST",
                "faults --trial nothing-of-that-name",
                "faults superfluous",
                "hot --parts nothing-of-that-name",
                "hot --minutes many",
            })
    void wrongArgumentsAreOneLineAndExitCodeTwo(String arguments) {
        StringWriter err = new StringWriter();

        int code = SystemTests.run(
                new PrintWriter(err, true), arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("bench: ").endsWith("--help)"));
    }
}

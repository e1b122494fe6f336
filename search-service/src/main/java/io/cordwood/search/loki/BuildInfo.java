package io.cordwood.search.loki;

import io.cordwood.search.api.Output;
import java.io.IOException;

/** {@code status/buildinfo}: the version of Loki whose API this is. Grafana chooses by it what to ask. Stateless. */
final class BuildInfo {
    private static final String LOKI_VERSION = "3.7.0";

    private BuildInfo() {}

    static void write(Output output) throws IOException {
        LokiBody.writeObject(output, json -> {
            json.writeStringField("version", LOKI_VERSION);
            json.writeStringField("revision", "cordwood");
            json.writeStringField("branch", "");
            json.writeStringField("buildUser", "");
            json.writeStringField("buildDate", "");
            json.writeStringField("goVersion", "");
        });
    }
}

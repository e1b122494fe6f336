package io.cordwood.search.sql;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Client;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

final class ReadOnlySqlTest {
    /** As Trino refuses a login: it has not read the statement, and may end before all of its answer has arrived. */
    private static boolean refuse(ServerSocket trino) {
        try (Socket socket = trino.accept();
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
            boolean waits = false;
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                waits |= line.equalsIgnoreCase("Expect: 100-continue");
            }
            socket.getOutputStream()
                    .write("HTTP/1.1 401 Unauthorized\r\nContent-Length: 1000\r\n\r\nThe tok".getBytes(US_ASCII));
            return waits;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRefusedLoginIsSaidEvenIfTheConnectionIsCut() throws IOException, InterruptedException, ExecutionException {
        try (ServerSocket trino = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ReadOnlySql sql = new ReadOnlySql(URI.create("http://127.0.0.1:" + trino.getLocalPort()))) {
            CompletableFuture<Boolean> waits = CompletableFuture.supplyAsync(() -> refuse(trino));
            assertThatThrownBy(() -> sql.run("ann", Optional.empty(), Client.NONE, "SELECT 1", _ -> true))
                    .isInstanceOf(ApiException.class)
                    .hasMessageStartingWith("Trino does not take this token");
            assertThat(waits.get()).isTrue();
        }
    }
}

package io.cordwood.gateway.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.gateway.GatewayFixture;
import io.cordwood.services.Waiting;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyslogIT {
    private static final String OF_TENANT = "<13>1 - h a - - [cordwood@32473 tenant=\"%s\"] %s\n";
    private static GatewayFixture gateway;

    @BeforeAll
    static void start(@TempDir Path home) throws Exception {
        gateway = GatewayFixture.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    private static Socket connect() throws Exception {
        String[] address = gateway.syslog().address().split(":", -1);
        return new Socket(address[0], Integer.parseInt(address[1]));
    }

    @Test
    void messagesOfAConnectionAreRows() throws Exception {
        try (Socket socket = connect()) {
            socket.getOutputStream()
                    .write("<34>1 2026-10-11T22:14:15.003Z m su 7 ID47 [a@1 b=\"c\"] one\n<13>two\n".getBytes(UTF_8));
            Waiting.until(
                    "both rows are there", () -> gateway.members("default").size() == 2);
        }
        assertThat(gateway.members("default"))
                .containsExactlyInAnyOrder(
                        Map.of(
                                "facility", "auth",
                                "level", "crit",
                                "host", "m",
                                "app", "su",
                                "procid", "7",
                                "msgid", "ID47",
                                "a@1.b", "c",
                                "message", "one"),
                        Map.of("facility", "user", "level", "notice", "message", "two"));
        assertThat(gateway.rows("default", "logs"))
                .anySatisfy(row -> assertThat(row).containsEntry("ts", 1_791_756_855_003_000L));
    }

    /** A connection says once whose it is. */
    @Test
    void aConnectionNamesItsTenant() throws Exception {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(OF_TENANT.formatted("shop", "first").getBytes(UTF_8));
            socket.getOutputStream().write("<13>second\n".repeat(2000).getBytes(UTF_8));
        }
        Waiting.until("all rows are there", () -> gateway.members("shop").size() == 2001);
    }

    @Test
    void datagramsAreRows() throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] message = OF_TENANT.formatted("udp", "hello").getBytes(UTF_8);
            socket.send(new DatagramPacket(
                    message,
                    message.length,
                    InetAddress.getLoopbackAddress(),
                    gateway.syslog().udpPort().orElseThrow()));
        }
        Waiting.until("the row is there", () -> gateway.members("udp").size() == 1);
    }
}

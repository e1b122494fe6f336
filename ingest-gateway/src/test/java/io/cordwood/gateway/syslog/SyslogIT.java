package io.cordwood.gateway.syslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.tenant.Quota;
import io.cordwood.gateway.GatewayFixture;
import io.cordwood.services.Waiting;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SyslogIT {
    private static final String OF_TENANT = "<13>1 - h a - - [cordwood@32473 tenant=\"%s\"] %s\n";
    private static final int SLOW_CONNECTIONS = 200;

    @RegisterExtension
    private static final GatewayFixture gateway = new GatewayFixture();

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
                    "both rows are there", () -> gateway.members("default").size() >= 2);
        }
        assertThat(gateway.members("default"))
                .contains(
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

    /** A sender may not send; what others sent before on the same connection stays. */
    @Test
    void aRefusedMessageCostsNoOther() throws Exception {
        try (Socket socket = connect()) {
            String rows = OF_TENANT.formatted("relay", "one") + OF_TENANT.formatted("x".repeat(200), "refused");
            socket.getOutputStream().write(rows.getBytes(UTF_8));
            assertThat(socket.getInputStream().read()).as("the connection ends").isNegative();
        }
        Waiting.until("the row is there", () -> gateway.members("relay").size() == 1);
    }

    @Test
    void aMessageThatDoesNotEndKeepsNoOtherBack() throws Exception {
        try (Socket socket = connect()) {
            socket.getOutputStream().write((OF_TENANT.formatted("slow", "one") + "<13>cut").getBytes(UTF_8));
            Waiting.until("the row is there", () -> gateway.members("slow").size() == 1);
        }
    }

    /** Each is a message all the same, and none harms the ones beside it. */
    @Test
    void badMessagesAreRows() throws Exception {
        String head = "<13>1 - h a - - ";
        String wide =
                IntStream.range(0, 50_000).mapToObj(i -> " k" + i + "=\"\"").collect(joining());
        List<String> messages = List.of(
                OF_TENANT.formatted("bad", "first").strip(),
                head + "[a@1" + wide + "] wide",
                head + "[a@1 b=\"1\" b=\"2\" B=\"3\"] twice",
                head + "[a@1 b=\"x\u00FF\"] not UTF-8 \u00C3",
                head + "[a@1 b=\"cut",
                "[".repeat(10_000),
                "<13>99 no such version");
        try (Socket socket = connect()) {
            for (String message : messages) {
                socket.getOutputStream().write((message + "\n").getBytes(ISO_8859_1));
            }
            Waiting.until("all rows are there", () -> gateway.members("bad").size() == messages.size());
        }
        assertThat(gateway.members("bad"))
                .anySatisfy(row -> assertThat(row).containsEntry("message", "first"))
                .anySatisfy(row -> assertThat(row).containsEntry("message", "wide"))
                .anySatisfy(row -> assertThat(row)
                        .containsEntry("message", "twice")
                        .containsEntry("attributes", Map.of("a@1.b", "1", "a@1.b#2", "2", "a@1.B", "3")))
                .anySatisfy(row -> assertThat(row)
                        .containsEntry("message", "not UTF-8 \\xc3")
                        .containsEntry("attributes", Map.of("a@1.b", "x\\xff")))
                .anySatisfy(row -> assertThat(row).containsEntry("message", "[a@1 b=\"cut"));
    }

    @Test
    void timesOfEveryForm() throws Exception {
        List<String> times = List.of(
                "2026-11-20T10:00:00Z",
                "2026-11-20T10:00:00.123456789+05:30",
                "2026-11-20",
                "0000-00-00T00:00:00Z",
                "9999-12-31T23:59:60Z",
                "1795168800",
                "now");
        List<String> older = List.of(
                "Nov 20 10:00:00",
                "Feb 30 10:00:00",
                "Nov  1 25:61:61",
                "2026-11-20T10:00:00+01:00",
                "Nov 20 2026 10:00:00");
        try (Socket socket = connect()) {
            socket.getOutputStream().write(OF_TENANT.formatted("times", "first").getBytes(UTF_8));
            for (String time : times) {
                socket.getOutputStream()
                        .write("<13>1 %s h a - - - x\n".formatted(time).getBytes(UTF_8));
            }
            for (String time : older) {
                socket.getOutputStream().write("<13>%s h a: x\n".formatted(time).getBytes(UTF_8));
            }
            Waiting.until(
                    "all rows are there",
                    () -> gateway.rows("times", "logs").size() == 1 + times.size() + older.size());
        }
        assertThat(gateway.rows("times", "logs"))
                .allSatisfy(row -> assertThat(row).containsKey("ts"));
    }

    /** A message of which only the length and a part come, and connections on which nothing comes. */
    @Test
    void slowConnectionsDelayNobody() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < SLOW_CONNECTIONS; i++) {
                Socket socket = connect();
                socket.getOutputStream().write((i % 2 == 0 ? "100 <13>part" : "<13>part").getBytes(UTF_8));
                slow.add(socket);
            }
            try (Socket socket = connect()) {
                socket.getOutputStream()
                        .write(OF_TENANT.formatted("beside", "row").getBytes(UTF_8));
                Waiting.until(
                        "the row is there", () -> gateway.members("beside").size() == 1);
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void aMessageThatIsCutWithItsConnectionCostsNoOther() throws Exception {
        try (Socket socket = connect()) {
            socket.getOutputStream().write((OF_TENANT.formatted("cut", "whole") + "999 <13>cut").getBytes(UTF_8));
        }
        Waiting.until("the row is there", () -> gateway.members("cut").size() == 1);
        assertThat(gateway.members("cut").getFirst()).containsEntry("message", "whole");
    }

    @Test
    void aWebPageIsNoSyslog() throws Exception {
        try (Socket socket = connect()) {
            String request = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + OF_TENANT.formatted("page", "row");
            socket.getOutputStream().write(request.getBytes(UTF_8));
            Waiting.until("the connection ends", () -> {
                try {
                    socket.getOutputStream().write('\n');
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
        }
        assertThat(gateway.records("page", "logs")).isEmpty();
    }

    @Test
    void aRefusedDatagramCostsNoOther() throws Exception {
        for (String text : List.of(
                OF_TENANT.formatted("x".repeat(200), "refused"),
                OF_TENANT.formatted("first", "own"),
                "<13>of nobody named\n")) {
            send(text);
        }
        Waiting.until("the row is there", () -> gateway.members("first").size() == 1);
        Waiting.until(
                "a datagram without a tenant is of the default one",
                () -> gateway.members("default").stream()
                        .anyMatch(row -> "of nobody named".equals(row.get("message"))));
    }

    @Test
    void datagramsBeyondAQuotaDelayNoOther() throws Exception {
        gateway.limit("full", Quota.NONE.withBytesPerSecond(OptionalLong.of(1)));
        send(OF_TENANT.formatted("full", "more than it may send in a minute"));
        send(OF_TENANT.formatted("full", "too much"));
        send(OF_TENANT.formatted("within-quota", "own"));
        Waiting.until("the row is there", () -> gateway.members("within-quota").size() == 1);
        assertThat(gateway.members("full")).hasSize(1);
    }

    @Test
    void datagramsAreRows() throws Exception {
        send(OF_TENANT.formatted("udp", "hello"));
        Waiting.until("the row is there", () -> gateway.members("udp").size() == 1);
    }

    private static void send(String text) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] message = text.getBytes(UTF_8);
            socket.send(new DatagramPacket(
                    message,
                    message.length,
                    InetAddress.getLoopbackAddress(),
                    gateway.syslog().udpPort().orElseThrow()));
        }
    }
}

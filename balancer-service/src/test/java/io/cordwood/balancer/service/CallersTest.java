package io.cordwood.balancer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CallersTest {
    /** A catalog that does not answer. */
    private static Callers callers() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new Callers(URI.create("http://127.0.0.1:" + free.getLocalPort()), SSLContext.getDefault());
        }
    }

    @Test
    void requestsWithoutATokenAreRefused() throws Exception {
        try (Callers callers = callers()) {
            assertThat(callers.status(Optional.empty())).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic b3BlcmF0b3I6", "Bearer", "Bearer ", "Bearer a b", "Bearer a\r\nX: y", "token"})
    void whatIsNoTokenDoesNotReachTheCatalog(String header) throws Exception {
        try (Callers callers = callers()) {
            assertThat(callers.status(Optional.of(header))).isEqualTo(401);
        }
    }

    @Test
    void withoutTheCatalogNobodyIsServed() throws Exception {
        try (Callers callers = callers()) {
            assertThat(callers.status(Optional.of("Bearer eyJ.eyJ.sig"))).isEqualTo(503);
        }
    }
}

package io.cordwood.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.util.PSQLException;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Each service through what tests do to it, wherever it comes from. */
@Timeout(600)
class ServicesIT {
    private static final int TIMEOUT_MILLISECONDS = 5_000;

    @Test
    void redisKeepsItsDataThroughAKill() throws Exception {
        try (Service redis = TestServices.redis()) {
            URI url = URI.create(redis.url());
            try (Jedis jedis = new Jedis(url)) {
                jedis.set("key", "value");
            }
            redis.kill();
            assertThatThrownBy(() -> ask(url)).isInstanceOf(JedisConnectionException.class);
            assertThatThrownBy(redis::suspend).isInstanceOf(RuntimeException.class);
            redis.restart();
            assertThat(redis.url()).isEqualTo(url.toString());
            assertThat(ask(url)).isEqualTo("value");
        }
    }

    @Test
    void suspendedServiceDoesNotAnswerUntilItIsResumed() throws Exception {
        try (Service redis = TestServices.redis()) {
            URI url = URI.create(redis.url());
            assertThat(ask(url)).isNull();
            redis.suspend();
            assertThatThrownBy(() -> ask(url))
                    .isInstanceOf(JedisConnectionException.class)
                    .hasRootCauseMessage("Read timed out");
            redis.resume();
            assertThat(ask(url)).isNull();
            redis.suspend();
        }
    }

    private static String ask(URI url) {
        try (Jedis jedis = new Jedis(url, TIMEOUT_MILLISECONDS)) {
            return jedis.get("key");
        }
    }

    @Test
    void runningServiceIsNotRestarted() throws Exception {
        try (Service redis = TestServices.redis()) {
            assertThatThrownBy(redis::restart)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("REDIS at %s runs: kill it first", redis.address());
            assertThat(redis.log()).contains("Ready to accept connections");
        }
    }

    @Test
    void postgresqlKeepsItsDataThroughAKill() throws Exception {
        String url;
        try (Service postgresql = TestServices.postgresql()) {
            url = postgresql.url();
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t AS SELECT 42 AS n");
                postgresql.kill();
                assertThatThrownBy(() -> statement.execute("SELECT n FROM t")).isInstanceOf(PSQLException.class);
            }
            postgresql.restart();
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE t");
            }
        }
        assertThatThrownBy(() -> DriverManager.getConnection(url)).isInstanceOf(SQLException.class);
    }

    @Test
    void kafkaKeepsItsDataThroughAKill() throws Exception {
        try (Service kafka = TestServices.kafka();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.url()))) {
            admin.createTopics(List.of(new NewTopic("logs", 1, (short) 1)))
                    .all()
                    .get();
            kafka.kill();
            kafka.restart();
            assertThat(admin.listTopics().names().get()).isEqualTo(Set.of("logs"));
        }
    }
}

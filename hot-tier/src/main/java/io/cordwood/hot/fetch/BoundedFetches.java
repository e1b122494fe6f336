package io.cordwood.hot.fetch;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.HashMap;
import java.util.function.Function;
import org.apache.kafka.clients.FetchSessionHandler;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.internals.AbstractFetch;
import org.apache.kafka.clients.consumer.internals.ClassicKafkaConsumer;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.LogContext;

/**
 * Makes a consumer unpack records within {@link RecordLimits}. Stateless.
 *
 * <p>Kafka's consumer allocates a whole record, of whatever size the record declares, before any code can refuse it,
 * and has no configuration to intervene. Every fetch response passes through the consumer's fetch sessions, a map by
 * broker. This class replaces that map, so that the batches of responses unpack within limits. Everything else stays
 * Kafka's own.
 */
public final class BoundedFetches {
    private BoundedFetches() {}

    /**
     * Bounds the records that a consumer unpacks from now on.
     *
     * @param consumer a consumer of the classic group protocol that has not polled yet; closed on failure
     * @return the consumer
     * @throws IllegalStateException if this version of Kafka's client has a different structure
     */
    public static <C extends KafkaConsumer<byte[], byte[]>> C bounded(C consumer) {
        try {
            Object delegate = field(KafkaConsumer.class, "delegate").get(consumer);
            Object fetcher = field(ClassicKafkaConsumer.class, "fetcher").get(delegate);
            field(AbstractFetch.class, "sessionHandlers").set(fetcher, new Sessions());
            return consumer;
        } catch (ReflectiveOperationException | RuntimeException e) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw new IllegalStateException(
                    "Cannot bound the records that Kafka's consumer unpacks: this version of kafka-clients is not the one that Cordwood was built with",
                    e);
        }
    }

    private static Field field(Class<?> owner, String name) throws ReflectiveOperationException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** Sessions by broker; the consumer creates them through {@link #computeIfAbsent} only. */
    private static final class Sessions extends HashMap<Integer, FetchSessionHandler> {
        private static final long serialVersionUID = 1;

        @Override
        public FetchSessionHandler computeIfAbsent(
                Integer broker, Function<? super Integer, ? extends FetchSessionHandler> unbounded) {
            return super.computeIfAbsent(broker, Session::new);
        }

        @Override
        public FetchSessionHandler put(Integer broker, FetchSessionHandler unbounded) {
            throw new UnsupportedOperationException("a session that does not bound unpacked records");
        }
    }

    /** A session whose responses unpack within limits. */
    private static final class Session extends FetchSessionHandler {
        Session(int broker) {
            super(new LogContext("[Broker %d] ".formatted(broker)), broker);
        }

        @Override
        public boolean handleResponse(FetchResponse response, short version) {
            response.data().responses().forEach(topic -> topic.partitions().forEach(Session::bound));
            return super.handleResponse(response, version);
        }

        private static void bound(FetchResponseData.PartitionData partition) {
            if (partition.records() instanceof Records records) {
                partition.setRecords(new BoundedRecords(records));
            }
        }
    }
}

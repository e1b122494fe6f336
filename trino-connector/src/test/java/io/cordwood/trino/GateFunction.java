package io.cordwood.trino;

import io.trino.spi.Plugin;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * {@code gate(number)}: true, but not before a test opens the gate; so a query can be held at its first row. The gate
 * is one for all of this process.
 */
@ScalarFunction(value = "gate", deterministic = false)
public final class GateFunction {
    private static volatile Gate gate = new Gate();

    private GateFunction() {}

    /** Holds queries from now on. */
    static Gate close() {
        gate = new Gate();
        return gate;
    }

    static Gate current() {
        return gate;
    }

    /** The plugin that brings the function. */
    static final class GatePlugin implements Plugin {
        @Override
        public Set<Class<?>> getFunctions() {
            return Set.of(GateFunction.class);
        }
    }

    /** Thread-safe. */
    static final class Gate {
        private final CompletableFuture<Void> reached = new CompletableFuture<>();
        private final CountDownLatch opened = new CountDownLatch(1);

        /** Waits until the query is held; fails as the query does if it ends before. */
        void await(CompletableFuture<?> query) {
            CompletableFuture.anyOf(reached, query).join();
            if (!reached.isDone()) {
                throw new IllegalStateException("The query did not come to the gate");
            }
        }

        void open() {
            opened.countDown();
        }

        private void pass() throws InterruptedException {
            reached.complete(null);
            opened.await();
        }
    }

    @SqlType(StandardTypes.BOOLEAN)
    public static boolean gate(@SqlType(StandardTypes.BIGINT) long number) throws InterruptedException {
        gate.pass();
        return true;
    }
}

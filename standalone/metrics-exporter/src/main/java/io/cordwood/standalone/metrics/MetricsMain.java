package io.cordwood.standalone.metrics;

import io.prometheus.jmx.JavaAgent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Starts Prometheus's JMX exporter in this process, then the main class of a program. The exporter is made to be an
 * agent of the JVM, but a JVM with an agent cannot write its classes for the next start.
 */
public final class MetricsMain {
    private static final int OWN_ARGUMENTS = 2;

    private MetricsMain() {}

    /**
     * Starts both.
     *
     * @param arguments the exporter's argument, {@code HOST:PORT:FILE} with its rules; the name of the main class; the
     *     arguments of that
     * @throws Exception what the exporter or the main class throws
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < OWN_ARGUMENTS) {
            System.err.println("usage: MetricsMain HOST:PORT:RULES MAIN_CLASS [ARGUMENT...]");
            System.exit(2);
        }
        // It does not use the instrumentation that the JVM gives to agents
        JavaAgent.premain(arguments[0], null);
        Method main = Class.forName(arguments[1]).getMethod("main", String[].class);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, OWN_ARGUMENTS, arguments.length));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}

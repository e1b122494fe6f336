package io.cordwood.services;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/** Checks that tests that are {@link LeftOut} fail with their refusal. Stateless. */
public final class LeftOutTests implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        String test = method.getExecutable().getName();
        String refusal = method.getExecutable().getAnnotation(LeftOut.class).refusal();
        try {
            invocation.proceed();
        } catch (TestAbortedException e) {
            throw new AssertionError("The suite itself skips %s: let it run".formatted(test), e);
        } catch (Exception | AssertionError e) {
            if (trace(e).contains(refusal)) {
                return;
            }
            throw new AssertionError(
                    "%s is left out because of '%s', but fails with something else".formatted(test, refusal), e);
        }
        throw new AssertionError("%s passes: it is not left out, take it off the list".formatted(test));
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }
}

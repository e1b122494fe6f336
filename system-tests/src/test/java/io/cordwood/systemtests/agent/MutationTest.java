package io.cordwood.systemtests.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MutationTest {
    @ParameterizedTest
    @EnumSource(Mutation.class)
    void canBeTakenOutOfTheProductAsItIs(Mutation mutation) throws IOException {
        for (CodeChange removal : mutation.removals()) {
            assertApplies(removal);
        }
    }

    @Test
    void jobStopsAtEachFaultPoint() throws IOException {
        for (CodeChange change : FaultPoint.calls()) {
            assertApplies(change);
        }
    }

    @ParameterizedTest
    @EnumSource(Slowness.class)
    void whatRunsCanBeMadeSlow(Slowness slowness) throws IOException {
        for (CodeChange change : slowness.changes()) {
            assertApplies(change);
        }
    }

    private static void assertApplies(CodeChange change) throws IOException {
        byte[] product = classFile(change.className());

        byte[] changed = change.apply(product);

        assertThat(changed).isNotEqualTo(product);
        assertThat(ClassFile.of().parse(changed).methods())
                .hasSameSizeAs(ClassFile.of().parse(product).methods());
    }

    private static byte[] classFile(String name) throws IOException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }
}

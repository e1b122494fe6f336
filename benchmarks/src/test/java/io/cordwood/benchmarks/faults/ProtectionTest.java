package io.cordwood.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ProtectionTest {
    @ParameterizedTest
    @EnumSource(Protection.class)
    void canBeTakenOutOfTheProductAsItIs(Protection protection) throws IOException {
        byte[] product = classFile(protection.className());

        byte[] weakened = protection.removeFrom(product);

        assertThat(weakened).isNotEqualTo(product);
        assertThat(ClassFile.of().parse(weakened).methods())
                .hasSameSizeAs(ClassFile.of().parse(product).methods());
    }

    private static byte[] classFile(String name) throws IOException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }
}

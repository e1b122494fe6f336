package io.cordwood.systemtests.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Instructions to insert at the start of some methods of a class when it is loaded. Immutable.
 *
 * @param className with slashes
 * @param methods names of the methods
 * @param before writes the instructions for the method of the given name
 */
record CodeChange(String className, List<String> methods, BiConsumer<CodeBuilder, String> before) {
    CodeChange {
        methods = List.copyOf(methods);
    }

    /** The changed class. @throws IllegalStateException if it no longer has these methods */
    byte[] apply(byte[] bytes) {
        byte[] changed = bytes;
        for (String method : methods) {
            changed = apply(changed, method);
        }
        return changed;
    }

    private byte[] apply(byte[] bytes, String method) {
        // Debug information of unreachable instructions would be wrong.
        ClassFile file = ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG);
        ClassModel model = file.parse(bytes);
        if (model.methods().stream()
                .noneMatch(candidate -> candidate.methodName().equalsString(method))) {
            throw new IllegalStateException("%s has no method %s".formatted(className, method));
        }
        CodeTransform transform = CodeTransform.ofStateful(() -> new AtStart(code -> before.accept(code, method)));
        return file.transformClass(
                model,
                ClassTransform.transformingMethodBodies(
                        candidate -> candidate.methodName().equalsString(method), transform));
    }

    private interface Instructions {
        void write(CodeBuilder code);
    }

    private record AtStart(Instructions instructions) implements CodeTransform {
        @Override
        public void atStart(CodeBuilder code) {
            instructions.write(code);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }
}

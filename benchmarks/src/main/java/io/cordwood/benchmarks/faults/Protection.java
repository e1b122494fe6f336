package io.cordwood.benchmarks.faults;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What keeps rows from being lost or doubled, and how to take it out of the running job, so as to see that the checker
 * notices. The code of a method is changed while its class is loaded; nothing in the product knows of it.
 */
enum Protection {
    /** A flush is committed whatever the table's offset says. */
    OFFSETS_CHECK("io/cordwood/catalog/CommitPlan", "step") {
        @Override
        CodeTransform weaken() {
            ClassDesc flush = ClassDesc.of("io.cordwood.catalog.Flush");
            // offset = flush.from(): as if the table were always where the flush begins.
            return CodeTransform.ofStateful(() -> new AtStart(code -> code.aload(0)
                    .invokevirtual(flush, "from", MethodTypeDesc.of(ConstantDescs.CD_long))
                    .lstore(1)));
        }
    },
    /** A commit is applied again to what another committer has made of the table meanwhile. */
    PINNED_METADATA("io/cordwood/catalog/PinnedTableOperations", "refresh") {
        @Override
        CodeTransform weaken() {
            ClassDesc owner = ClassDesc.of("io.cordwood.catalog.PinnedTableOperations");
            ClassDesc operations = ClassDesc.of("org.apache.iceberg.TableOperations");
            ClassDesc metadata = ClassDesc.of("org.apache.iceberg.TableMetadata");
            return CodeTransform.ofStateful(() -> new AtStart(code -> code.aload(0)
                    .getfield(owner, "delegate", operations)
                    .invokeinterface(operations, "refresh", MethodTypeDesc.of(metadata))
                    .areturn()));
        }
    },
    /** W is published before the tables have the rows. */
    TABLES_BEFORE_ARCHIVED_THROUGH("io/cordwood/ingest/commit/PartitionArchive", "isReached") {
        @Override
        CodeTransform weaken() {
            return CodeTransform.ofStateful(
                    () -> new AtStart(code -> code.iconst_1().ireturn()));
        }
    };

    private final String className;
    private final String method;

    Protection(String className, String method) {
        this.className = className;
        this.method = method;
    }

    abstract CodeTransform weaken();

    String className() {
        return className;
    }

    /** The class without the protection. @throws IllegalStateException if the class no longer has that method */
    byte[] removeFrom(byte[] bytes) {
        ClassFile file = ClassFile.of();
        ClassModel model = file.parse(bytes);
        if (model.methods().stream().noneMatch(this::isProtected)) {
            throw new IllegalStateException("%s has no method %s".formatted(className, method));
        }
        return file.transformClass(model, ClassTransform.transformingMethodBodies(this::isProtected, weaken()));
    }

    private boolean isProtected(MethodModel candidate) {
        return candidate.methodName().equalsString(method);
    }

    /** The option of a JVM that is to run without it. */
    String jvmOption(Path root) {
        return "-javaagent:%s=%s".formatted(ProtectionAgent.jar(root), name());
    }

    /** Puts instructions before all others of a method. */
    private static final class AtStart implements CodeTransform {
        private final Consumer<CodeBuilder> instructions;

        AtStart(Consumer<CodeBuilder> instructions) {
            this.instructions = instructions;
        }

        @Override
        public void atStart(CodeBuilder code) {
            instructions.accept(code);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }
}

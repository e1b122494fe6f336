package io.cordwood.benchmarks.faults;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What keeps rows from being lost or doubled, and how to take it out of the running job, so as to see that the checker
 * notices. The code of methods is changed while their class is loaded; nothing in the product knows of it.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are those of List.of, the lambdas have no state
enum Protection {
    /** A flush is committed whatever the table's offset says. */
    OFFSETS_CHECK("io/cordwood/catalog/CommitPlan", List.of("step"), (code, method) -> {
        // offset = flush.from(): as if the table were always where the flush begins.
        code.aload(0)
                .invokevirtual(
                        ClassDesc.of("io.cordwood.catalog.Flush"), "from", MethodTypeDesc.of(ConstantDescs.CD_long))
                .lstore(1);
    }),
    /** A commit is applied again to what another committer has made of the table meanwhile. */
    PINNED_METADATA("io/cordwood/catalog/PinnedTableOperations", List.of("refresh", "current"), (code, method) -> {
        // return delegate.refresh(), or current()
        ClassDesc operations = ClassDesc.of("org.apache.iceberg.TableOperations");
        code.aload(0)
                .getfield(ClassDesc.of("io.cordwood.catalog.PinnedTableOperations"), "delegate", operations)
                .invokeinterface(
                        operations, method, MethodTypeDesc.of(ClassDesc.of("org.apache.iceberg.TableMetadata")))
                .areturn();
    }),
    /** W is published before the tables have the rows. */
    TABLES_BEFORE_ARCHIVED_THROUGH(
            "io/cordwood/ingest/commit/PartitionArchive",
            List.of("isReached"),
            (code, method) -> code.iconst_1().ireturn());

    private final CodeChange change;

    /** @param before writes instructions that a method, whose name it is given, begins with from now on */
    Protection(String className, List<String> methods, BiConsumer<CodeBuilder, String> before) {
        change = new CodeChange(className, methods, before);
    }

    /** How a class is without it. */
    CodeChange removal() {
        return change;
    }

    /** The option of a JVM that is to run without it. */
    String jvmOption(Path root) {
        return ProtectionAgent.jvmOption(root, name());
    }
}

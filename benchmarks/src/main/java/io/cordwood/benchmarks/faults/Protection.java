package io.cordwood.benchmarks.faults;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What keeps rows from being lost or doubled, and how to take it out of the running job, so as to see that the checker
 * notices. The code of methods is changed while their class is loaded; nothing in the product knows of it.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are those of List.of, the lambdas have no state
enum Protection {
    /** A flush is committed whatever the table's offset says. */
    OFFSETS_CHECK(
            Trial.KILL_AFTER_COMMIT,
            "io/cordwood/catalog/CommitPlan",
            List.of("step"),
            // offset = flush.from(): as if the table were always where the flush begins.
            (code, method) -> flushFrom(code).lstore(1)),
    /** A flush that begins below the table's offset is committed whole. */
    TRIMMING(
            Trial.OVERLAPPING_COMMITS,
            "io/cordwood/catalog/CommitPlan$Step",
            List.of("isTrim"),
            (code, method) -> code.iconst_0().ireturn()),
    /** A flush that begins above the table's offset is committed, though one before it is missing. */
    MISSING_FLUSH(
            Trial.LOST_FLUSH,
            "io/cordwood/catalog/CommitPlan",
            List.of("step"),
            // offset = Math.max(flush.from(), offset)
            (code, method) -> flushFrom(code)
                    .lload(1)
                    .invokestatic(
                            ClassDesc.of("java.lang.Math"),
                            "max",
                            MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long))
                    .lstore(1)),
    /** A commit is applied again to what another committer has made of the table meanwhile. */
    PINNED_METADATA(
            Trial.OVERLAPPING_COMMITS,
            "io/cordwood/catalog/PinnedTableOperations",
            List.of("refresh", "current"),
            (code, method) -> {
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
            Trial.KILL_AFTER_COMMIT,
            "io/cordwood/ingest/commit/PartitionArchive",
            List.of("isReached"),
            (code, method) -> code.iconst_1().ireturn()),
    /** Rows of aborted transactions are taken in. */
    READ_COMMITTED(
            Trial.KILL_AFTER_COMMIT,
            "org/apache/kafka/clients/consumer/internals/CompletedFetch",
            List.of("isBatchAborted"),
            (code, method) -> code.iconst_0().ireturn()),
    /** A topic that was made anew while the job ran is read on as if it were the old one. */
    TOPIC_IDS(
            Trial.TOPIC_OUTGROWN, "io/cordwood/ingest/source/TopicIdGuard", List.of("requireSame"), (code, method) -> {
                // if (!ids.isEmpty()) return;
                ClassDesc map = ClassDesc.of("java.util.Map");
                code.aload(0)
                        .getfield(ClassDesc.of("io.cordwood.ingest.source.TopicIdGuard"), "ids", map)
                        .invokeinterface(map, "isEmpty", MethodTypeDesc.of(ConstantDescs.CD_boolean))
                        .ifThen(Opcode.IFEQ, CodeBuilder::return_);
            });

    private final Trial trial;
    private final CodeChange removal;

    /** @param before writes instructions that a method, whose name it is given, begins with from now on */
    Protection(Trial trial, String className, List<String> methods, BiConsumer<CodeBuilder, String> before) {
        this.trial = trial;
        removal = new CodeChange(className, methods, before);
    }

    /** {@code flush.from()} of the flush that is a static method's first parameter. */
    private static CodeBuilder flushFrom(CodeBuilder code) {
        return code.aload(0)
                .invokevirtual(
                        ClassDesc.of("io.cordwood.catalog.Flush"), "from", MethodTypeDesc.of(ConstantDescs.CD_long));
    }

    /** In which the checker finds out that it is gone. */
    Trial trial() {
        return trial;
    }

    /** How a class is without it. */
    CodeChange removal() {
        return removal;
    }
}

package io.cordwood.benchmarks.faults;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * What keeps rows from being lost or doubled, and how to take it out of the running job, so as to see that the checker
 * notices. The code of methods is changed while their class is loaded; nothing in the product knows of it.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are those of List.of, the lambdas have no state
enum Protection {
    /** A flush is committed whatever the table's offset says. */
    OFFSETS_CHECK(
            Trial.KILL_AFTER_COMMIT,
            new CodeChange("io/cordwood/catalog/CommitPlan", List.of("step"), (code, method) -> {
                // offset = flush.from(): as if the table were always where the flush begins.
                code.aload(0)
                        .invokevirtual(
                                ClassDesc.of("io.cordwood.catalog.Flush"),
                                "from",
                                MethodTypeDesc.of(ConstantDescs.CD_long))
                        .lstore(1);
            })),
    /** A flush that begins below the table's offset is committed whole. */
    TRIMMING(
            Trial.OVERLAPPING_COMMITS,
            new CodeChange(
                    "io/cordwood/catalog/CommitPlan$Step",
                    List.of("isTrim"),
                    (code, method) -> code.iconst_0().ireturn())),
    /** A commit is applied again to what another committer has made of the table meanwhile. */
    PINNED_METADATA(
            Trial.OVERLAPPING_COMMITS,
            new CodeChange(
                    "io/cordwood/catalog/PinnedTableOperations", List.of("refresh", "current"), (code, method) -> {
                        // return delegate.refresh(), or current()
                        ClassDesc operations = ClassDesc.of("org.apache.iceberg.TableOperations");
                        code.aload(0)
                                .getfield(
                                        ClassDesc.of("io.cordwood.catalog.PinnedTableOperations"),
                                        "delegate",
                                        operations)
                                .invokeinterface(
                                        operations,
                                        method,
                                        MethodTypeDesc.of(ClassDesc.of("org.apache.iceberg.TableMetadata")))
                                .areturn();
                    })),
    /** W is published before the tables have the rows. */
    TABLES_BEFORE_ARCHIVED_THROUGH(
            Trial.KILL_AFTER_COMMIT,
            new CodeChange(
                    "io/cordwood/ingest/commit/PartitionArchive",
                    List.of("isReached"),
                    (code, method) -> code.iconst_1().ireturn())),
    /** Rows of aborted transactions are taken in. */
    READ_COMMITTED(
            Trial.KILL_AFTER_COMMIT,
            new CodeChange(
                    "org/apache/kafka/clients/consumer/internals/CompletedFetch",
                    List.of("isBatchAborted"),
                    (code, method) -> code.iconst_0().ireturn())),
    /** Ids of topics are compared neither while the job runs nor when it starts from a checkpoint. */
    TOPIC_IDS(
            Trial.TOPIC_OUTGROWN,
            new CodeChange("io/cordwood/ingest/source/TopicIdGuard", List.of("requireSame"), (code, method) -> {
                ClassDesc map = ClassDesc.of("java.util.Map");
                // if (!ids.isEmpty()) return;
                code.aload(0)
                        .getfield(ClassDesc.of("io.cordwood.ingest.source.TopicIdGuard"), "ids", map)
                        .invokeinterface(map, "isEmpty", MethodTypeDesc.of(ConstantDescs.CD_boolean))
                        .ifThen(Opcode.IFEQ, CodeBuilder::return_);
            }));

    private final Trial trial;
    private final CodeChange removal;

    Protection(Trial trial, CodeChange removal) {
        this.trial = trial;
        this.removal = removal;
    }

    /** What it protects from. */
    Trial trial() {
        return trial;
    }

    /** How a class is without it. */
    CodeChange removal() {
        return removal;
    }
}

package io.cordwood.systemtests.agent;

import io.cordwood.systemtests.ledger.Findings.Kind;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * A mutation of the running job or catalog: it removes one mechanism that prevents lost or duplicate rows, to prove
 * that the checker notices. It changes the code of methods when their class is loaded; the product has no hooks for it.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are those of List.of, the lambdas have no state
public enum Mutation {
    /** A flush is committed at any table offset. */
    OFFSETS_CHECK(
            Trial.KILL_AFTER_COMMIT,
            Kind.DOUBLE,
            // offset = flush.from(): as if the table offset were always the beginning of the flush.
            new CodeChange(
                    "io/cordwood/catalog/commit/CommitPlan",
                    List.of("step"),
                    (code, method) -> flushFrom(code).lstore(1))),
    /** A flush that begins below the table's offset is committed whole. */
    TRIMMING(
            Trial.OVERLAPPING_COMMITS,
            Kind.DOUBLE,
            answer("io/cordwood/catalog/commit/CommitPlan$Step", "isRewrite", false)),
    /** A flush that begins above the table's offset is committed, although an earlier one is missing. */
    MISSING_FLUSH(
            Trial.LOST_FLUSH,
            Kind.NOT_A_PREFIX,
            // offset = Math.max(flush.from(), offset)
            new CodeChange(
                    "io/cordwood/catalog/commit/CommitPlan",
                    List.of("step"),
                    (code, method) -> flushFrom(code)
                            .lload(1)
                            .invokestatic(
                                    ClassDesc.of("java.lang.Math"),
                                    "max",
                                    MethodTypeDesc.of(
                                            ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long))
                            .lstore(1))),
    /** A commit is applied again to a table that another committer has changed meanwhile. */
    PINNED_METADATA(
            Trial.OVERLAPPING_COMMITS,
            Kind.DOUBLE,
            new CodeChange(
                    "io/cordwood/catalog/commit/PinnedTableOperations",
                    List.of("refresh", "current"),
                    (code, method) -> returnNewest(code))),
    /**
     * Iceberg cleans up after a commit that it believes failed. The catalog must not recognise repeated commits either;
     * otherwise no commit would seem to have failed.
     */
    UNKNOWN_END(
            Trial.REPEATED_COMMIT,
            Kind.UNREADABLE,
            new CodeChange(
                    "io/cordwood/catalog/commit/PinnedTableOperations",
                    List.of("commit"),
                    (code, method) -> takeFailuresForConflicts(code)),
            answer("io/cordwood/catalog/server/table/RepeatedCommit", "isRepeated", false)),
    /** Archived-through is published before the tables have the rows. */
    TABLES_BEFORE_ARCHIVED_THROUGH(
            Trial.KILL_BEFORE_COMMIT,
            Kind.LOST,
            answer("io/cordwood/ingest/commit/PartitionArchive", "isReached", true)),
    /** Rows of aborted transactions are ingested. */
    READ_COMMITTED(
            Trial.KILL_AFTER_COMMIT,
            Kind.UNEXPECTED,
            answer("org/apache/kafka/clients/consumer/internals/CompletedFetch", "isBatchAborted", false)),
    /** A query reads archived-through after its tables, not before. */
    READING_ORDER(
            Trial.SLOW_PLANNING,
            Kind.NOT_A_PREFIX,
            // return TableOffsets.of(catalog.pointers(stream).archivedThrough())
            new CodeChange("io/cordwood/query/snapshot/QuerySnapshot", List.of("archivedThrough"), (code, method) -> {
                ClassDesc catalog = ClassDesc.of("io.cordwood.query.snapshot.QueryCatalog");
                ClassDesc pointers = ClassDesc.of("io.cordwood.catalog.protocol.Pointers");
                ClassDesc offsets = ClassDesc.of("io.cordwood.catalog.table.TableOffsets");
                ClassDesc map = ClassDesc.of("java.util.Map");
                code.aload(0)
                        .getfield(ClassDesc.of("io.cordwood.query.snapshot.QuerySnapshot"), "catalog", catalog)
                        .aload(1)
                        .invokevirtual(catalog, "pointers", MethodTypeDesc.of(pointers, ConstantDescs.CD_String))
                        .invokevirtual(pointers, "archivedThrough", MethodTypeDesc.of(map))
                        .invokestatic(offsets, "of", MethodTypeDesc.of(offsets, map))
                        .areturn();
            })),
    /** The job continues to read a topic that was recreated meanwhile as if it were the old one. */
    TOPIC_IDS(
            Trial.TOPIC_OUTGROWN,
            Kind.WRONG,
            // if (!ids.isEmpty()) return
            new CodeChange("io/cordwood/ingest/source/TopicIdGuard", List.of("requireSame"), (code, method) -> {
                ClassDesc map = ClassDesc.of("java.util.Map");
                code.aload(0)
                        .getfield(ClassDesc.of("io.cordwood.ingest.source.TopicIdGuard"), "ids", map)
                        .invokeinterface(map, "isEmpty", MethodTypeDesc.of(ConstantDescs.CD_boolean))
                        .ifThen(Opcode.IFEQ, CodeBuilder::return_);
            })),
    /** A {@code DELETE} deletes from all rows of the snapshot that it reads. */
    DELETE_BOUND(
            Trial.DELETE_WHILE_ROWS_COME,
            Kind.LOST,
            // return Predicate.TRUE
            new CodeChange("io/cordwood/query/snapshot/AcknowledgedRows", List.of("condition"), (code, method) -> {
                ClassDesc predicate = ClassDesc.of("io.cordwood.logblock.predicate.Predicate");
                code.getstatic(predicate, "TRUE", predicate).areturn();
            })),
    /** A {@code DELETE} does not wait for rows of the stream's earlier topics. */
    EARLIER_TOPICS(
            Trial.DELETE_AFTER_TOPIC_MADE_ANEW,
            Kind.UNEXPECTED,
            // return Set.of()
            new CodeChange("io/cordwood/query/snapshot/AcknowledgedRows", List.of("unfinished"), (code, method) -> {
                ClassDesc set = ClassDesc.of("java.util.Set");
                code.invokestatic(set, "of", MethodTypeDesc.of(set), true).areturn();
            })),
    /** The job flushes rows of a deleted topic at their regular time, and does not announce the flush. */
    ENDS_OF_TOPICS(
            Trial.DELETE_AFTER_TOPIC_MADE_ANEW,
            Kind.NOT_RECOVERED,
            new CodeChange(
                    "io/cordwood/ingest/source/LogSourceReader",
                    List.of("endTopicsBefore"),
                    (code, method) -> code.return_())),
    /** A job whose checkpoint is lost starts without it, even if it held rows of deleted topics. */
    ROWS_OF_EARLIER_TOPICS(
            Trial.CHECKPOINT_HIDDEN_AFTER_TOPIC_MADE_ANEW,
            Kind.LOST,
            // return Optional.empty()
            new CodeChange(
                    "io/cordwood/ingest/source/StartPositions", List.of("lostOfEarlierTopics"), (code, method) -> {
                        ClassDesc optional = ClassDesc.of("java.util.Optional");
                        code.invokestatic(optional, "empty", MethodTypeDesc.of(optional))
                                .areturn();
                    })),
    /** Only the clock of compaction's host decides about expiry. */
    EARLIEST_CLOCK(
            Trial.CLOCK_AHEAD,
            Kind.LOST,
            // return host
            new CodeChange(
                    "io/cordwood/catalog/protocol/ClockReadings",
                    List.of("earliest", "earliestToTheHour"),
                    (code, method) -> code.aload(1).areturn())),
    /** A table's timestamps stay unchanged, even if the clock that set them was ahead. */
    TABLE_TIMES(
            Trial.CLOCK_AHEAD,
            Kind.NOT_RECOVERED,
            // return metadata, or snapshot
            new CodeChange(
                    "io/cordwood/catalog/commit/TableTimes",
                    List.of("notAfter", "committedAt"),
                    (code, method) -> code.aload(2).areturn())),
    /** A flush whose table is gone fails, even if it is below the floors. */
    FLUSH_BELOW_FLOOR(
            Trial.TENANT_DELETED_ACROSS_FLUSH,
            Kind.NOT_RECOVERED,
            // throw new IllegalStateException()
            new CodeChange(
                    "io/cordwood/catalog/commit/LogBlockCommitter$TableCommit",
                    List.of("outcomesWithoutTable"),
                    (code, method) -> {
                        ClassDesc failure = ClassDesc.of("java.lang.IllegalStateException");
                        code.new_(failure)
                                .dup()
                                .invokespecial(
                                        failure, ConstantDescs.INIT_NAME, MethodTypeDesc.of(ConstantDescs.CD_void))
                                .athrow();
                    })),
    /** Rows below the floors of a deleted tenant create a table. */
    NO_TABLE_BELOW_FLOOR(
            Trial.TENANT_DELETED_ACROSS_FLUSH,
            Kind.UNEXPECTED,
            // rows = Optional.empty(), as if the rows of the table were unknown
            new CodeChange(
                    "io/cordwood/catalog/server/table/TableProvisioning", List.of("loadOrCreate"), (code, method) -> {
                        ClassDesc optional = ClassDesc.of("java.util.Optional");
                        code.invokestatic(optional, "empty", MethodTypeDesc.of(optional))
                                .astore(6);
                    })),
    /** A tenant is deleted although its tables have rows above the floors. */
    TABLES_BELOW_FLOORS(
            Trial.TENANT_DELETED_ACROSS_FLUSH,
            Kind.LOST,
            new CodeChange(
                    "io/cordwood/catalog/server/table/TenantTables",
                    List.of("requireBelow"),
                    (code, method) -> code.return_())),
    /** A page has all rows from the time of the row of its cursor on, whatever their place. */
    PAGE_STARTS(Trial.KILL_AFTER_COMMIT, Kind.DOUBLE, answer("io/cordwood/query/search/PageStart", "admits", true)),
    /** A record may name any tenant, with any token or none. */
    RECORD_TOKENS(
            Trial.TOKENS_REVOKED,
            Kind.UNEXPECTED,
            new CodeChange(
                    "io/cordwood/record/token/TokenCheck", List.of("requireRight"), (code, method) -> code.return_())),
    /** The end of a token is in the past as soon as it is revoked, also for records that came before. */
    APPEND_TIMES(
            Trial.TOKENS_REVOKED,
            Kind.LOST,
            // if (revoked.containsKey(token.id())) return Instant.EPOCH
            new CodeChange("io/cordwood/identity/TokenRules", List.of("goodUntil"), (code, method) -> {
                ClassDesc map = ClassDesc.of("java.util.Map");
                ClassDesc instant = ClassDesc.of("java.time.Instant");
                code.aload(0)
                        .getfield(ClassDesc.of("io.cordwood.identity.TokenRules"), "revoked", map)
                        .aload(1)
                        .invokevirtual(
                                ClassDesc.of("io.cordwood.identity.Token"),
                                "id",
                                MethodTypeDesc.of(ConstantDescs.CD_String))
                        .invokeinterface(
                                map,
                                "containsKey",
                                MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object))
                        .ifThen(
                                Opcode.IFNE,
                                revoked -> revoked.getstatic(instant, "EPOCH", instant)
                                        .areturn());
            }));

    private static final ClassDesc PINNED = ClassDesc.of("io.cordwood.catalog.commit.PinnedTableOperations");
    private static final ClassDesc OPERATIONS = ClassDesc.of("org.apache.iceberg.TableOperations");
    private static final ClassDesc METADATA = ClassDesc.of("org.apache.iceberg.TableMetadata");

    private final Trial trial;
    private final Kind finding;
    private final List<CodeChange> removals;

    Mutation(Trial trial, Kind finding, CodeChange... removals) {
        this.trial = trial;
        this.finding = finding;
        this.removals = List.of(removals);
    }

    /** A method that always gives the same answer. */
    private static CodeChange answer(String className, String method, boolean answer) {
        return new CodeChange(
                className,
                List.of(method),
                (code, any) -> code.loadConstant(answer ? 1 : 0).ireturn());
    }

    /** {@code flush.from()} of the flush that is a static method's first parameter. */
    private static CodeBuilder flushFrom(CodeBuilder code) {
        return code.aload(0)
                .invokevirtual(
                        ClassDesc.of("io.cordwood.catalog.commit.Flush"),
                        "from",
                        MethodTypeDesc.of(ConstantDescs.CD_long));
    }

    /** {@code return delegate.refresh()}. */
    private static void returnNewest(CodeBuilder code) {
        code.aload(0)
                .getfield(PINNED, "delegate", OPERATIONS)
                .invokeinterface(OPERATIONS, "refresh", MethodTypeDesc.of(METADATA))
                .areturn();
    }

    /**
     * {@code delegate.commit(base, metadata)}. Iceberg sees each failure as a conflict, as if its own REST client had
     * reported it.
     */
    private static void takeFailuresForConflicts(CodeBuilder code) {
        ClassDesc conflict = ClassDesc.of("org.apache.iceberg.exceptions.CommitFailedException");
        MethodTypeDesc ofCause = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Throwable);
        code.trying(
                attempt -> attempt.aload(0)
                        .getfield(PINNED, "delegate", OPERATIONS)
                        .aload(1)
                        .aload(2)
                        .invokeinterface(
                                OPERATIONS, "commit", MethodTypeDesc.of(ConstantDescs.CD_void, METADATA, METADATA))
                        .return_(),
                failures -> failures.catching(
                        ClassDesc.of("java.lang.RuntimeException"),
                        failure -> failure.astore(3)
                                .new_(conflict)
                                .dup()
                                .aload(3)
                                .invokespecial(conflict, ConstantDescs.INIT_NAME, ofCause)
                                .athrow()));
    }

    /** The trial in which the checker detects this mutation. */
    public Trial trial() {
        return trial;
    }

    /**
     * The finding that the checker must report, possibly among others. A job that does not run at all does not have it.
     */
    public Kind finding() {
        return finding;
    }

    /** The changes of classes that apply it. */
    List<CodeChange> removals() {
        return removals;
    }
}

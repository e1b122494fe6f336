package io.cordwood.systemtests.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/** A point in the job's code at which a {@link Breakpoint} can stop the job. */
@SuppressWarnings("ImmutableEnumChecker") // the changes consist of method references
public enum FaultPoint {
    /** The committer is about to receive a flush; one is lost. */
    FLUSH_ARRIVES("io/cordwood/ingest/commit/CommitOperator", "processElement", FaultPoint::lose),
    /** The committer has read the table offset and not sent the commit; the commit waits. */
    BEFORE_COMMIT("io/cordwood/catalog/commit/LogBlockCommitter$TableCommit", "commit", FaultPoint::hold),
    /** The catalog has accepted the commit, but committer and checkpoint do not know that yet; the commit waits. */
    AFTER_COMMIT("io/cordwood/catalog/commit/LogBlockCommitter$TableCommit", "outcomes", FaultPoint::hold);

    private static final ClassDesc HOLD = ClassDesc.of(Breakpoint.class.getName());
    private static final ClassDesc COMMIT = ClassDesc.of("io.cordwood.catalog.commit.LogBlockCommitter$TableCommit");
    private static final ClassDesc PLAN = ClassDesc.of("io.cordwood.catalog.commit.CommitPlan");
    private static final ClassDesc OFFSETS = ClassDesc.of("io.cordwood.catalog.table.TableOffsets");

    private final CodeChange change;

    /** @param method begins at this point */
    FaultPoint(String className, String method, BiConsumer<FaultPoint, CodeBuilder> call) {
        change = new CodeChange(className, List.of(method), (code, any) -> call.accept(this, code));
    }

    /** The calls that a job makes at its fault points. */
    static List<CodeChange> calls() {
        return Arrays.stream(values()).map(point -> point.change).toList();
    }

    /** {@code if (Breakpoint.loses(name())) return;}. */
    private void lose(CodeBuilder code) {
        code.ldc(name())
                .invokestatic(HOLD, "loses", MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_String))
                .ifThen(Opcode.IFNE, CodeBuilder::return_);
    }

    /**
     * {@code Breakpoint.at(name(), tenantId, plan.changed().toJson());}, the plan being the method's first parameter.
     */
    private void hold(CodeBuilder code) {
        code.ldc(name())
                .aload(0)
                .getfield(COMMIT, "tenantId", ConstantDescs.CD_String)
                .aload(1)
                .invokevirtual(PLAN, "changed", MethodTypeDesc.of(OFFSETS))
                .invokevirtual(OFFSETS, "toJson", MethodTypeDesc.of(ConstantDescs.CD_String))
                .invokestatic(
                        HOLD,
                        "at",
                        MethodTypeDesc.of(
                                ConstantDescs.CD_void,
                                ConstantDescs.CD_String,
                                ConstantDescs.CD_String,
                                ConstantDescs.CD_String));
    }
}

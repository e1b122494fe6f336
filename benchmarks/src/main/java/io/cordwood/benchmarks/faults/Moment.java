package io.cordwood.benchmarks.faults;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.List;

/** A moment in the job's life at which it can be {@linkplain Hold held}. */
enum Moment {
    /** The table's offset was read, the commit is not sent yet. */
    BEFORE_COMMIT("commit"),
    /** The commit was accepted by the catalog; committer and checkpoint do not know of it yet. */
    AFTER_COMMIT("outcomes");

    private static final ClassDesc COMMIT = ClassDesc.of("io.cordwood.catalog.LogBlockCommitter$TableCommit");
    private static final ClassDesc PLAN = ClassDesc.of("io.cordwood.catalog.CommitPlan");
    private static final ClassDesc OFFSETS = ClassDesc.of("io.cordwood.catalog.TableOffsets");

    private final String method;

    /** @param method begins at this moment, on the committing thread; its first parameter is the plan */
    Moment(String method) {
        this.method = method;
    }

    /** Makes a job able to be held. */
    static List<CodeChange> holds() {
        return Arrays.stream(values()).map(Moment::hold).toList();
    }

    private CodeChange hold() {
        return new CodeChange(
                "io/cordwood/catalog/LogBlockCommitter$TableCommit", List.of(method), (code, any) -> call(code));
    }

    /** {@code Hold.at(name(), tenantId, plan.changed().toJson())}. */
    private void call(CodeBuilder code) {
        code.ldc(name())
                .aload(0)
                .getfield(COMMIT, "tenantId", ConstantDescs.CD_String)
                .aload(1)
                .invokevirtual(PLAN, "changed", MethodTypeDesc.of(OFFSETS))
                .invokevirtual(OFFSETS, "toJson", MethodTypeDesc.of(ConstantDescs.CD_String))
                .invokestatic(
                        ClassDesc.of(Hold.class.getName()),
                        "at",
                        MethodTypeDesc.of(
                                ConstantDescs.CD_void,
                                ConstantDescs.CD_String,
                                ConstantDescs.CD_String,
                                ConstantDescs.CD_String));
    }
}

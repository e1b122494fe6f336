package io.cordwood.benchmarks.faults;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.util.List;

/**
 * Makes local files as slow as an object store on a bad day: each request to the warehouse, to write a file or to read
 * ranges of one, waits first. Stateless.
 */
final class Slowness {
    /** What the agent is told. */
    static final String NAME = "SLOW_WAREHOUSE";

    private static final Duration REQUEST = Duration.ofMillis(300);

    /** What becomes slow in the job and in Trino. */
    static final List<CodeChange> CHANGES = List.of(
            new CodeChange(
                    "io/cordwood/catalog/LocalOutputFile",
                    List.of("create", "createOrOverwrite"),
                    (code, method) -> pause(code)),
            new CodeChange("io/cordwood/catalog/LocalInputFile", List.of("newStream"), (code, method) -> pause(code)),
            new CodeChange("io/cordwood/trino/FileRangeReader", List.of("read"), (code, method) -> pause(code)));

    private Slowness() {}

    /** Ends early if interrupted, as a request would. */
    private static void pause(CodeBuilder code) {
        code.loadConstant(REQUEST.toNanos())
                .invokestatic(
                        ClassDesc.of("java.util.concurrent.locks.LockSupport"),
                        "parkNanos",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
    }
}

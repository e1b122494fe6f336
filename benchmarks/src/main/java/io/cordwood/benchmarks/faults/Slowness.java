package io.cordwood.benchmarks.faults;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.util.List;

/**
 * Makes local files as slow as an object store: each request to the warehouse, to write a file or to read ranges of one,
 * waits first. The names are what the agent is told.
 */
enum Slowness {
    /** As on a bad day. */
    SLOW_WAREHOUSE(Duration.ofMillis(300)),
    /** As on any other. */
    OBJECT_STORE(Duration.ofMillis(30));

    private final Duration request;

    Slowness(Duration request) {
        this.request = request;
    }

    /** What becomes slow in the job and in Trino. */
    List<CodeChange> changes() {
        return List.of(
                new CodeChange(
                        "io/cordwood/catalog/LocalOutputFile",
                        List.of("create", "createOrOverwrite"),
                        (code, method) -> pause(code)),
                new CodeChange(
                        "io/cordwood/catalog/LocalInputFile", List.of("newStream"), (code, method) -> pause(code)),
                new CodeChange("io/cordwood/trino/FileRangeReader", List.of("read"), (code, method) -> pause(code)));
    }

    /** Ends early if interrupted, as a request would. */
    private void pause(CodeBuilder code) {
        code.loadConstant(request.toNanos())
                .invokestatic(
                        ClassDesc.of("java.util.concurrent.locks.LockSupport"),
                        "parkNanos",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
    }
}

package io.cordwood.systemtests.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.util.List;

/** A delay in the job or in Trino. The names are options of the agent. */
public enum Slowness {
    /**
     * Delays each request to the warehouse that writes a file or reads ranges of one, like an overloaded object store.
     */
    SLOW_WAREHOUSE(Duration.ofMillis(300), Place.WAREHOUSE),
    /** Delays each request to the warehouse like an ordinary object store. */
    OBJECT_STORE(Duration.ofMillis(30), Place.WAREHOUSE),
    /**
     * Delays each record in a subtask, so that a worker takes about 2,000 rows a second, less than the machine allows.
     */
    SLOW_WORKERS(Duration.ofNanos(400_000), Place.WORKER),
    /** Delays each record in a subtask, so that a worker takes about 500 rows a second. */
    SLOWER_WORKERS(Duration.ofMillis(2), Place.WORKER),
    /** Delays a query that has read its tables, before it determines from which offsets on it must read Kafka. */
    SLOW_PLANNING(Duration.ofSeconds(10), Place.PLANNING);

    private enum Place {
        WAREHOUSE,
        WORKER,
        PLANNING
    }

    private final Duration pause;
    private final Place place;

    Slowness(Duration pause, Place place) {
        this.pause = pause;
        this.place = place;
    }

    /** The changes of classes that add the delay. */
    List<CodeChange> changes() {
        return switch (place) {
            case WAREHOUSE ->
                List.of(
                        before("io/cordwood/catalog/io/LocalOutputFile", "create", "createOrOverwrite"),
                        before("io/cordwood/catalog/io/LocalInputFile", "newStream"),
                        before("io/cordwood/query/io/FileRangeReader", "read"));
            case WORKER -> List.of(before("io/cordwood/ingest/builder/RecordAppender", "append"));
            case PLANNING -> List.of(before("io/cordwood/query/snapshot/QuerySnapshot", "archivedThrough"));
        };
    }

    private CodeChange before(String className, String... methods) {
        return new CodeChange(className, List.of(methods), (code, method) -> pause(code));
    }

    /** Ends early on an interrupt, as a request would. */
    private void pause(CodeBuilder code) {
        code.loadConstant(pause.toNanos())
                .invokestatic(
                        ClassDesc.of("java.util.concurrent.locks.LockSupport"),
                        "parkNanos",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
    }
}

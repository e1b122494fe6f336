package io.cordwood.systemtests.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.util.List;

/** Makes the job or Trino wait before what it does. The names are what the agent is told. */
public enum Slowness {
    /** Each request to the warehouse, to write a file or to read ranges of one: an object store on a bad day. */
    SLOW_WAREHOUSE(Duration.ofMillis(300), Place.WAREHOUSE),
    /** The same on any other day. */
    OBJECT_STORE(Duration.ofMillis(30), Place.WAREHOUSE),
    /** Each record that a subtask takes in: workers of about 2,000 rows a second, less than the machine could do. */
    SLOW_WORKERS(Duration.ofNanos(400_000), Place.WORKER),
    /** The same of about 500 rows a second. */
    SLOWER_WORKERS(Duration.ofMillis(2), Place.WORKER),
    /** A query that knows its tables, before it looks from where on their rows are in Kafka. */
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

    /** What becomes slow. */
    List<CodeChange> changes() {
        return switch (place) {
            case WAREHOUSE ->
                List.of(
                        before("io/cordwood/catalog/io/LocalOutputFile", "create", "createOrOverwrite"),
                        before("io/cordwood/catalog/io/LocalInputFile", "newStream"),
                        before("io/cordwood/query/io/FileRangeReader", "read"));
            case WORKER -> List.of(before("io/cordwood/ingest/builder/BuildOperator", "takeIn"));
            case PLANNING -> List.of(before("io/cordwood/query/snapshot/QuerySnapshot", "archivedThrough"));
        };
    }

    private CodeChange before(String className, String... methods) {
        return new CodeChange(className, List.of(methods), (code, method) -> pause(code));
    }

    /** Ends early if interrupted, as a request would. */
    private void pause(CodeBuilder code) {
        code.loadConstant(pause.toNanos())
                .invokestatic(
                        ClassDesc.of("java.util.concurrent.locks.LockSupport"),
                        "parkNanos",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
    }
}

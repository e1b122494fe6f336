# Sourced by the commands in bin/: finds a JDK 25, builds what is not built. POSIX sh. Expects $command and $root.

fail() {
    printf '%s: %s\n' "$command" "$1" >&2
    exit "${2:-1}"
}

# Prints the feature version of the JDK at $1, or nothing if there is no complete JDK. Where there is nothing to build, a
# JRE will do.
jdk_version() {
    [ -x "$1/bin/java" ] || return 0
    [ -x "$1/bin/javac" ] || [ ! -f "$root/mvnw" ] || return 0
    jdk_text=
    [ ! -r "$1/release" ] || jdk_text=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    [ -n "$jdk_text" ] || jdk_text=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
    printf '%s' "$jdk_text"
}

# Sets and exports JAVA_HOME to the first JDK of version 25 or newer.
find_jdk() {
    path_java=$(command -v java 2>/dev/null || :)
    path_home=
    if [ -n "$path_java" ]; then
        path_java=$(readlink -f "$path_java" 2>/dev/null || printf '%s' "$path_java")
        path_home=${path_java%/bin/java}
    fi
    for candidate in "${JAVA_HOME:-}" "$path_home" /usr/lib/jvm/* "${HOME:-/nonexistent}"/.sdkman/candidates/java/* \
        "${HOME:-/nonexistent}"/.jdks/* /opt/* /opt/*/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        [ -n "$candidate" ] || continue
        version=$(jdk_version "$candidate")
        if [ -n "$version" ] && [ "$version" -ge 25 ]; then
            JAVA_HOME=$candidate
            export JAVA_HOME
            return 0
        fi
    done
    fail 'no JDK 25 or newer found (looked at JAVA_HOME, PATH, /usr/lib/jvm, ~/.sdkman, ~/.jdks, /opt): install one or set JAVA_HOME'
}

# True if nothing that the programs are made from is newer than the last build.
is_built() {
    [ -f "$root/target/.built" ] && [ -f "$root/standalone/target/classpath.txt" ] || return 1
    changed=$(cd "$root" && find pom.xml .mvn */pom.xml */src/main standalone/*/pom.xml standalone/*/src/main \
        -newer target/.built -print 2>/dev/null | head -n 1)
    [ -z "$changed" ]
}

# True if the command line was built once, from whatever sources.
has_command_line() {
    [ -f "$root/standalone/target/classpath.txt" ] && [ -n "$(own_jars standalone)" ]
}

# Prints the jars that the module whose directory is $1 makes of its own classes, each on a line.
own_jars() {
    for jar in "$root/$1"/target/*-[0-9]*.jar; do
        case "$jar" in
            *-tests.jar | *-services.jar | *-sources.jar | *-javadoc.jar) ;;
            *) [ ! -f "$jar" ] || printf '%s\n' "$jar" ;;
        esac
    done
}

# Builds all modules without their tests, if a source is newer than the last build. One line a module goes to stderr.
# CORDWOOD_BUILD=never takes what is there: for tests, which Maven runs on what it has just built.
build() {
    [ "${CORDWOOD_BUILD:-}" != never ] && [ -f "$root/mvnw" ] || return 0
    is_built && return 0
    mkdir -p "$root/target" || fail "cannot write to $root/target"
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$root/target/.build-lock"
        flock 9
        if is_built; then
            exec 9>&-
            return 0
        fi
    fi
    printf '%s: building (the first time takes minutes: it downloads what Cordwood runs on)\n' "$command" >&2
    : >"$root/target/.building"
    begun=$(mktemp "$root/target/.begun.XXXXXX")
    {
        if (cd "$root" && ./mvnw --batch-mode -Dmaven.test.skip=true -Dspotless.check.skip=true package 9>&-) 2>&1; then
            echo built >"$root/target/.building"
        fi
    } | tee "$root/target/build.log" | sed -n 's/^\[INFO\] Building Cordwood \(..*\) 0\.[^ ]* *\(\[.*\]\)$/  \2 \1/p' >&2
    if ! [ -s "$root/target/.building" ]; then
        rm -f "$begun"
        sed -n 's/^\[ERROR\] //p' "$root/target/build.log" | head -n 5 >&2
        fail "the build failed: see $root/target/build.log"
    fi
    # As old as the start of the build: what was edited meanwhile is built next time.
    mv "$begun" "$root/target/.built"
    if command -v flock >/dev/null 2>&1; then
        exec 9>&-
    fi
}

# Fetches Trino's own Iceberg connector, which is not part of the build, unless it is there. False if it cannot.
fetch_iceberg_connector() {
    iceberg=$root/standalone/trino-iceberg
    if [ -f "$iceberg/target/classpath.txt" ] || [ "${CORDWOOD_BUILD:-}" = never ]; then
        return 0
    fi
    [ -f "$root/mvnw" ] || fail '--iceberg works in a clone of the repository only, where Maven fetches the connector'
    printf '%s: fetching the Iceberg connector of Trino\n' "$command" >&2
    mkdir -p "$iceberg/target"
    (cd "$root" && ./mvnw --batch-mode -f standalone/trino-iceberg/pom.xml package) >"$iceberg/target/fetch.log" 2>&1
}

# Prints the class path of the module whose directory is $1.
class_path() {
    {
        own_jars "$1"
        tr ':' '\n' <"$root/$1/target/classpath.txt" | sed "s#^lib/#$root/lib/#"
    } | paste -s -d : -
}

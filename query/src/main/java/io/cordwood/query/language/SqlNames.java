package io.cordwood.query.language;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes names of columns as identifiers of Trino's SQL. Stateless. */
public final class SqlNames {
    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");

    /** The words that Trino's parser does not take as the name of a column. */
    private static final Set<String> RESERVED =
            Set.copyOf(Splitter.on(CharMatcher.whitespace()).omitEmptyStrings().splitToList("""
                    alter and as auto between by case cast constraint create cross cube current_catalog
                    current_date current_path current_role current_schema current_time current_timestamp
                    current_user deallocate delete describe distinct drop else end escape except exists
                    extract false for from full group grouping having in inner insert intersect into is join
                    json_array json_exists json_object json_query json_table json_value left like listagg
                    localtime localtimestamp natural normalize not null on or order outer overlaps prepare
                    recursive right rollup select skip table then trim true uescape union unnest using values
                    when where with
                    """));

    private SqlNames() {}

    /** The name, quoted if it needs quotes. */
    public static String of(String name) {
        return PLAIN.matcher(name).matches() && !RESERVED.contains(name)
                ? name
                : "\"%s\"".formatted(name.replace("\"", "\"\""));
    }
}

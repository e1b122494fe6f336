package io.cordwood.catalog.pipeline;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes patterns of grok out as regular expressions, by the usual names of patterns. Not thread-safe. */
final class Grok {
    private static final Pattern REFERENCE = Pattern.compile("%\\{(\\w+)(?::([\\w@.\\[\\]-]+))?(?::(\\w+))?\\}");
    private static final int MAX_DEPTH = 10;
    private static final Map<String, String> PATTERNS = Map.ofEntries(
            Map.entry("USERNAME", "[a-zA-Z0-9._-]+"),
            Map.entry("USER", "%{USERNAME}"),
            Map.entry("EMAILADDRESS", "[a-zA-Z0-9._%+-]+@[a-zA-Z0-9-]+(?:\\.[a-zA-Z0-9-]+)+"),
            Map.entry("INT", "[+-]?[0-9]+"),
            Map.entry("POSINT", "[1-9][0-9]*"),
            Map.entry("NONNEGINT", "[0-9]+"),
            Map.entry("NUMBER", "[+-]?(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
            Map.entry("BASE16NUM", "[+-]?(?:0[xX])?[0-9A-Fa-f]+"),
            Map.entry("WORD", "\\b\\w+\\b"),
            Map.entry("NOTSPACE", "\\S+"),
            Map.entry("SPACE", "\\s*"),
            Map.entry("DATA", ".*?"),
            Map.entry("GREEDYDATA", ".*"),
            Map.entry("QUOTEDSTRING", "\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'"),
            Map.entry("QS", "%{QUOTEDSTRING}"),
            Map.entry("UUID", "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"),
            Map.entry("IPV4", "(?:[0-9]{1,3}\\.){3}[0-9]{1,3}"),
            Map.entry("IPV6", "[0-9A-Fa-f]*:[0-9A-Fa-f:.]+(?:%\\w+)?"),
            Map.entry("IP", "(?:%{IPV4}|%{IPV6})"),
            Map.entry("HOSTNAME", "[0-9A-Za-z](?:[0-9A-Za-z_-]*[0-9A-Za-z])?(?:\\.[0-9A-Za-z][0-9A-Za-z_-]*)*\\.?"),
            Map.entry("IPORHOST", "(?:%{IP}|%{HOSTNAME})"),
            Map.entry("HOSTPORT", "%{IPORHOST}:%{POSINT}"),
            Map.entry("MAC", "(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}"),
            Map.entry("UNIXPATH", "(?:/[^\\s/]*)+"),
            Map.entry("WINPATH", "(?:[A-Za-z]:|\\\\)(?:\\\\[^\\\\?*\\s]*)+"),
            Map.entry("PATH", "(?:%{UNIXPATH}|%{WINPATH})"),
            Map.entry("URIPROTO", "[A-Za-z][A-Za-z0-9+.-]*"),
            Map.entry("URIPATH", "(?:/[^\\s?#]*)+"),
            Map.entry("URIPARAM", "\\?[^\\s#]*"),
            Map.entry("URIPATHPARAM", "%{URIPATH}(?:%{URIPARAM})?"),
            Map.entry("URI", "%{URIPROTO}://(?:[^\\s/@]+@)?(?:[^\\s/?#]+)?(?:%{URIPATHPARAM})?"),
            Map.entry("YEAR", "[0-9]{4}"),
            Map.entry("MONTH", "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"),
            Map.entry("MONTHNUM", "(?:0?[1-9]|1[0-2])"),
            Map.entry("MONTHDAY", "(?:0?[1-9]|[12][0-9]|3[01])"),
            Map.entry("DAY", "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*"),
            Map.entry("HOUR", "(?:2[0-3]|[01]?[0-9])"),
            Map.entry("MINUTE", "[0-5][0-9]"),
            Map.entry("SECOND", "(?:[0-5]?[0-9]|60)(?:[:.,][0-9]+)?"),
            Map.entry("TIME", "%{HOUR}:%{MINUTE}(?::%{SECOND})?"),
            Map.entry("TZ", "[A-Z]{3,4}"),
            Map.entry("ISO8601_TIMEZONE", "(?:Z|[+-]%{HOUR}(?::?%{MINUTE}))"),
            Map.entry(
                    "TIMESTAMP_ISO8601",
                    "%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?(?:%{ISO8601_TIMEZONE})?"),
            Map.entry("HTTPDATE", "%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}"),
            Map.entry("SYSLOGTIMESTAMP", "%{MONTH} +%{MONTHDAY} %{TIME}"),
            Map.entry("PROG", "[!-Z\\\\^-~]+"),
            Map.entry("SYSLOGPROG", "%{PROG:program}(?:\\[%{POSINT:pid:int}\\])?"),
            Map.entry("SYSLOGLINE", "%{SYSLOGTIMESTAMP:timestamp} %{IPORHOST:host} %{SYSLOGPROG}: %{GREEDYDATA:text}"),
            Map.entry(
                    "LOGLEVEL",
                    "(?i:trace|debug|notice|info|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|severe|emerg(?:ency)?|alert)"),
            Map.entry(
                    "COMMONAPACHELOG",
                    "%{IPORHOST:clientip} %{NOTSPACE:ident} %{NOTSPACE:auth} \\[%{HTTPDATE:timestamp}\\] "
                            + "\"(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})\" "
                            + "%{INT:response:int} (?:%{INT:bytes:int}|-)"),
            Map.entry("COMBINEDAPACHELOG", "%{COMMONAPACHELOG} \"%{DATA:referrer}\" \"%{DATA:agent}\""),
            Map.entry(
                    "NGINXERROR",
                    "%{YEAR}/%{MONTHNUM}/%{MONTHDAY} %{TIME} \\[%{LOGLEVEL:level}\\] %{POSINT:pid:int}#%{NONNEGINT:tid:int}: %{GREEDYDATA:text}"));

    private final int maxLength;
    private final Map<String, ColumnPattern.Group> groups = new HashMap<>();

    /** @param maxLength of the regular expression, in characters */
    Grok(int maxLength) {
        this.maxLength = maxLength;
    }

    /** The columns by the name of their group. */
    Map<String, ColumnPattern.Group> groups() {
        return groups;
    }

    /**
     * The regular expression of a pattern.
     *
     * @throws IllegalArgumentException with a message for the user, if it names a pattern that is not known, or is too
     *     long
     */
    String writtenOut(String text) {
        return writtenOut(text, 0);
    }

    private String writtenOut(String text, int depth) {
        Matcher reference = REFERENCE.matcher(text);
        StringBuilder regex = new StringBuilder();
        while (reference.find()) {
            String named = PATTERNS.get(reference.group(1));
            if (named == null || depth == MAX_DEPTH) {
                throw new IllegalArgumentException(
                        "There is no grok pattern '%s': use a regular expression in its place"
                                .formatted(reference.group(1)));
            }
            String inner = writtenOut(named, depth + 1);
            reference.appendReplacement(
                    regex, Matcher.quoteReplacement(grouped(inner, reference.group(2), reference.group(3))));
        }
        reference.appendTail(regex);
        if (regex.length() > maxLength) {
            throw new IllegalArgumentException(
                    "The grok pattern is longer than %,d characters when it is written out".formatted(maxLength));
        }
        return regex.toString();
    }

    private String grouped(String inner, String column, String type) {
        if (column == null) {
            return "(?:" + inner + ")";
        }
        String name = "column" + groups.size();
        groups.put(name, new ColumnPattern.Group(0, dotted(column), isNumber(type)));
        return "(?P<" + name + ">" + inner + ")";
    }

    /** Elastic's patterns write {@code [http][status]} for what is {@code http.status} here. */
    private static String dotted(String column) {
        return column.replace("][", ".").replace("[", "").replace("]", "");
    }

    private static boolean isNumber(String type) {
        if (type == null || type.equals("string")) {
            return false;
        }
        if (!type.matches("int|integer|long|float|double|number")) {
            throw new IllegalArgumentException("'%s' is no type of grok: use int, float or string".formatted(type));
        }
        return true;
    }
}

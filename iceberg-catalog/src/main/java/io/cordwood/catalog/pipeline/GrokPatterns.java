package io.cordwood.catalog.pipeline;

import java.util.Map;

/**
 * Patterns that patterns of grok refer to, by their usual names. Stateless. None refers to itself. Of alternatives the
 * first that matches is taken, so the longer ones stand first.
 */
final class GrokPatterns {
    private static final String HEX = "[0-9A-Fa-f]{1,4}";
    private static final String IPV6 = """
            (?:(?:(?:H:){6}|::(?:H:){0,5}|(?:H:){1,5}:(?:H:){0,4})%{IPV4}|(?:H:){7}H|H:(?::H){1,6}\
            |(?:H:){1,2}(?::H){1,5}|(?:H:){1,3}(?::H){1,4}|(?:H:){1,4}(?::H){1,3}|(?:H:){1,5}(?::H){1,2}\
            |(?:H:){1,6}:H|:(?:(?::H){1,7}|:)|(?:H:){1,7}:)(?:%\\w+)?""".replace("H", HEX);

    static final Map<String, String> ALL = Map.ofEntries(
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
            Map.entry("IPV6", IPV6),
            Map.entry("IP", "(?:%{IPV4}|%{IPV6})"),
            Map.entry("HOSTNAME", "[0-9A-Za-z](?:[0-9A-Za-z_-]*[0-9A-Za-z])?(?:\\.[0-9A-Za-z][0-9A-Za-z_-]*)*\\.?"),
            Map.entry("IPORHOST", "(?:%{IP}|%{HOSTNAME})"),
            Map.entry("HOSTPORT", "%{IPORHOST}:%{POSINT}"),
            Map.entry("MAC", "(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}"),
            Map.entry("UNIXPATH", "(?:/[^\\s/]*)+"),
            Map.entry("WINPATH", "(?:[A-Za-z]:|\\\\)(?:\\\\[^\\\\?*\\s]*)+"),
            Map.entry("PATH", "(?:%{UNIXPATH}|%{WINPATH})"),
            Map.entry("URIPROTO", "[A-Za-z][A-Za-z0-9+.-]*"),
            Map.entry("URIHOST", "[^\\s/?#]+"),
            Map.entry("URIPATH", "(?:/[^\\s?#]*)+"),
            Map.entry("URIPARAM", "\\?[^\\s#]*"),
            Map.entry("URIPATHPARAM", "%{URIPATH}(?:%{URIPARAM})?"),
            Map.entry("URI", "%{URIPROTO}://(?:[^\\s/@]+@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?"),
            Map.entry("YEAR", "[0-9]{4}"),
            Map.entry("MONTH", "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"),
            Map.entry("MONTHNUM", "(?:0[1-9]|1[0-2]|[1-9])"),
            Map.entry("MONTHDAY", "(?:0[1-9]|[12][0-9]|3[01]|[1-9])"),
            Map.entry("DAY", "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*"),
            Map.entry("HOUR", "(?:2[0-3]|[01]?[0-9])"),
            Map.entry("MINUTE", "[0-5][0-9]"),
            Map.entry("SECOND", "(?:60|[0-5]?[0-9])(?:[:.,][0-9]+)?"),
            Map.entry("TIME", "%{HOUR}:%{MINUTE}(?::%{SECOND})?"),
            Map.entry("TZ", "[A-Z]{3,4}"),
            Map.entry("ISO8601_TIMEZONE", "(?:Z|[+-]%{HOUR}(?::?%{MINUTE}))"),
            Map.entry(
                    "TIMESTAMP_ISO8601",
                    "%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?(?:%{ISO8601_TIMEZONE})?"),
            Map.entry("HTTPDATE", "%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}"),
            Map.entry("SYSLOGTIMESTAMP", "%{MONTH} +%{MONTHDAY} %{TIME}"),
            Map.entry("SYSLOGTIME", "(?:%{SYSLOGTIMESTAMP}|%{TIMESTAMP_ISO8601})"),
            Map.entry("PROG", "[!-Z\\\\^-~]+"),
            Map.entry("SYSLOGPROG", "%{PROG:program}(?:\\[%{POSINT:pid:int}\\])?"),
            Map.entry("SYSLOGLINE", "%{SYSLOGTIME:timestamp} %{IPORHOST:host} %{SYSLOGPROG}: %{GREEDYDATA:text}"),
            Map.entry(
                    "LOGLEVEL",
                    "(?i:trace|debug|notice|info|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|severe"
                            + "|emerg(?:ency)?|alert)"),
            Map.entry(
                    "COMMONAPACHELOG",
                    "%{IPORHOST:clientip} %{NOTSPACE:ident} %{NOTSPACE:auth} \\[%{HTTPDATE:timestamp}\\] "
                            + "\"(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?"
                            + "|%{DATA:rawrequest})\" "
                            + "%{INT:response:int} (?:%{INT:bytes:int}|-)"),
            Map.entry("COMBINEDAPACHELOG", "%{COMMONAPACHELOG} \"%{DATA:referrer}\" \"%{DATA:agent}\""),
            Map.entry(
                    "NGINXERROR",
                    "%{YEAR}/%{MONTHNUM}/%{MONTHDAY} %{TIME} \\[%{LOGLEVEL:level}\\] "
                            + "%{POSINT:pid:int}#%{NONNEGINT:tid:int}: %{GREEDYDATA:text}"));

    private GrokPatterns() {}
}

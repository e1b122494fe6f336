package io.cordwood.search.logql.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.search.logql.line.LogLine;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates with regular expressions, and templates whose values grow. */
class TemplateBoundsTest {
    private static String applied(String template, String line) {
        return Template.parse(template).apply(new LogLine(0, line, Map.of(), Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "t(e)(z)?, [$2], plain []xt",
        "t(e), [$7], plain []xt",
        "t(?P<vowel>e), ${vowel}!, plain e!xt",
        "t(?P<vowel>e), $vowel!, plain e!xt",
        "t(?P<vowel>e), ${other}!, plain !xt",
        "t(e), ${1}1, plain e1xt",
        "t(e), $1a, plain xt",
        "t(e), $$1, plain $1xt",
        "t(e), ${1, plain ${1xt",
        "t(e), \\\\1, plain \\1xt",
        "z*, -, -p-l-a-i-n- -t-e-x-t-",
        "i*, -, -p-l-a-n- -t-e-x-t-",
    })
    void replacementsReferToGroups(String regex, String replacement, String expected) {
        String template = "{{ regexReplaceAll \"%s\" __line__ \"%s\" }}".formatted(regex, replacement);
        assertThat(applied(template, "plain text")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ len (regexReplaceAll \".\" __line__ \"$0$0$0$0$0$0$0$0$0$0$0$0\") }}",
                "{{ len (regexReplaceAll \".*\" __line__ \"$0$0$0$0$0$0$0$0$0$0$0$0\") }}",
                "{{ len (regexReplaceAllLiteral \".\" __line__ \"twelve chars\") }}",
                "{{ len (urlencode __line__) }}",
                "{{ len (b64enc (b64enc (b64enc (b64enc (b64enc (b64enc (b64enc (b64enc (b64enc __line__))))))))) }}"
            })
    void valuesHaveABound(String template) {
        assertThatThrownBy(() -> applied(template, "?".repeat(400_000)))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("longer than");
    }

    /** A constant expression is compiled with the template, so its error is one of the template. */
    @ParameterizedTest
    @ValueSource(strings = {"regexReplaceAll \"(\" .a \"\"", "regexReplaceAllLiteral \"(\" .a \"\"", "count \"(\" .a"})
    void constantExpressionsAreCompiledOnce(String call) {
        assertThatThrownBy(() -> Template.parse("{{ " + call + " }}"))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("malformed");
    }

    @Test
    void expressionsMayComeFromTheLine() {
        assertThat(applied("{{ count __line__ \"tetet\" }}", "t")).isEqualTo("3");
        assertThat(applied("{{ \"tetet\" | count __line__ }}", "e")).isEqualTo("2");
        assertThatThrownBy(() -> applied("{{ count __line__ \"tetet\" }}", "(")).isInstanceOf(TemplateException.class);
    }
}

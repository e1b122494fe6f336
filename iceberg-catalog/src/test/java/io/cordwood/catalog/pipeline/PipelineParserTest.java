package io.cordwood.catalog.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import io.cordwood.catalog.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JSON keeps all of a pipeline, and one that could not run is refused with the step and the reason. */
class PipelineParserTest {
    private static Pipeline pipeline(String json) {
        return PipelineParser.pipeline(Json.parse(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Property(tries = 300)
    void jsonKeepsPipelines(@ForAll("pipelines") Pipeline pipeline) {
        assertThat(pipeline(PipelineParser.toJson(pipeline).toString())).isEqualTo(pipeline);
    }

    @Provide
    Arbitrary<Pipeline> pipelines() {
        Arbitrary<String> columns = Arbitraries.strings()
                .ofMinLength(1)
                .ofMaxLength(255)
                .filter(text ->
                        !text.isBlank() && StandardCharsets.UTF_8.newEncoder().canEncode(text));
        Arbitrary<String> regexes = Arbitraries.of("a", "(?i)error|\"x\\\\\"", "^\\d+$", "\u0000\n", "ä😀[^x]");
        Arbitrary<List<String>> lists = columns.list().ofMaxSize(3);
        Arbitrary<Boolean> flags = Arbitraries.of(true, false);
        Arbitrary<Step> steps = Arbitraries.oneOf(
                Combinators.combine(columns, Arbitraries.of(Step.Parse.Format.values()), lists, flags)
                        .as((column, format, numbers, overwrite) ->
                                new Step.Parse(column, format, pattern(format), numbers, overwrite)),
                Combinators.combine(columns, columns).as(Step.Rename::new),
                columns.list().ofMinSize(1).ofMaxSize(3).map(Step.Remove::new),
                Combinators.combine(columns, regexes, Arbitraries.doubles().between(0, true, 1, false))
                        .as(Step.Sample::new),
                Arbitraries.of(Sensitive.class).set().ofMinSize(1).map(Step.Redact::new),
                Combinators.combine(Arbitraries.of("a", "order_no1"), regexes).as(Step.RedactPattern::new));
        return steps.list().ofMinSize(1).ofMaxSize(5).map(Pipeline::new);
    }

    private static Optional<String> pattern(Step.Parse.Format format) {
        return switch (format) {
            case JSON, LOGFMT -> Optional.empty();
            case REGEX -> Optional.of("(?P<a>\\d+) (?<b>\"x\")");
            case GROK -> Optional.of("%{INT:a:int} %{WORD:b.c}");
        };
    }

    @Test
    void jsonHasDefaults() {
        assertThat(pipeline("""
                {"steps":[{"type":"parse","column":"message","format":"json"},
                          {"type":"drop","column":"path","matches":"^/health$"},
                          {"type":"redact","kinds":["email","card_number"]}]}"""))
                .isEqualTo(new Pipeline(List.of(
                        new Step.Parse("message", Step.Parse.Format.JSON, Optional.empty(), List.of(), false),
                        new Step.Sample("path", "^/health$", 0),
                        new Step.Redact(EnumSet.of(Sensitive.EMAIL, Sensitive.CARD_NUMBER)))));
        assertThat(pipeline("{\"steps\":[{\"type\":\"sample\",\"column\":\"a\",\"matches\":\"b\",\"keep\":0.25}]}"))
                .isEqualTo(new Pipeline(List.of(new Step.Sample("a", "b", 0.25))));
        assertThat(new Step.Redact(Set.of(Sensitive.SECRET)).kinds()).containsExactly(Sensitive.SECRET);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', textBlock = """
            {'type':'lookup'} # 'lookup' is no type of step: use parse, rename, remove, drop, sample or redact
            {'column':'a'} # Member 'type' is missing or not a string
            'redact' # Member 'type' is missing or not a string
            {'type':'parse','column':'a','format':'xml'} # Member 'format' is 'xml'; it must be one of [json, logfmt, regex, grok]
            {'type':'parse','column':' ','format':'json'} # The name of a column has 1 to 255 characters
            {'type':'parse','column':'\\ud800','format':'json'} # not valid Unicode
            {'type':'parse','column':'a','format':'regex'} # A parse step of this format needs a pattern
            {'type':'parse','column':'a','format':'json','pattern':'x'} # This format takes no pattern
            {'type':'parse','column':'a','format':'json','numbers':'x'} # Member 'numbers' is missing or not an array
            {'type':'parse','column':'a','format':'json','numbers':[1]} # Member 'numbers' has an element that is not a string
            {'type':'parse','column':'a','format':'json','numbers':['']} # The name of a column has 1 to 255 characters
            {'type':'parse','column':'a','format':'json','overwrite':'yes'} # Member 'overwrite' is neither true nor false
            {'type':'parse','column':'a','format':'json','overwrites':true} # Member 'overwrites' is not known: use column, format, numbers, overwrite, pattern, type
            {'type':'parse','column':'a','format':'regex','pattern':'(a'} # The pattern '(a' is malformed: missing closing ): (a
            {'type':'parse','column':'a','format':'regex','pattern':'a'} # The pattern 'a' names no columns
            {'type':'parse','column':'a','format':'grok','pattern':'%{INTEGER:a}'} # There is no grok pattern 'INTEGER'
            {'type':'rename','from':'a'} # Member 'to' is missing or not a string
            {'type':'rename','from':'a','to':''} # The name of a column has 1 to 255 characters
            {'type':'remove'} # A remove step names no columns
            {'type':'remove','columns':'a'} # Member 'columns' is missing or not an array
            {'type':'drop','column':'a'} # Member 'matches' is missing or not a string
            {'type':'drop','column':'a','matches':''} # A pattern has 1 to 4000 characters
            {'type':'drop','column':'a','matches':'b','keep':0.5} # Member 'keep' is not known: use column, matches, type
            {'type':'sample','column':'a','matches':'b'} # Member 'keep' is not a number
            {'type':'sample','column':'a','matches':'b','keep':'0.5'} # Member 'keep' is not a number
            {'type':'sample','column':'a','matches':'b','keep':1} # 'keep' is 1.0; it must be at least 0 and below 1
            {'type':'sample','column':'a','matches':'b','keep':-0.1} # 'keep' is -0.1; it must be at least 0 and below 1
            {'type':'redact'} # A redact step says neither 'kinds' nor 'pattern'
            {'type':'redact','kinds':['phone']} # Member 'kinds' is 'phone'; it must be one of [card_number, email, ip_address, secret]
            {'type':'redact','pattern':'a'} # Member 'name' is missing or not a string
            {'type':'redact','pattern':'a','name':'Order'} # 'Order' cannot be the name of a pattern
            {'type':'redact','pattern':'a*','name':'order'} # The pattern 'a*' matches an empty text
            {'type':'redact','pattern':'\\\\b','name':'order'} # The pattern '\\b' matches an empty text
            {'type':'redact','pattern':'x|$','name':'order'} # The pattern 'x|$' matches an empty text
            {'type':'redact','pattern':'a','name':'order','kinds':['email']} # Member 'kinds' is not known: use name, pattern, type""")
    void stepsThatCouldNotRunAreRefused(String step, String reason) {
        String json = "{'steps':[{'type':'remove','columns':['x']},%s]}"
                .formatted(step)
                .replace('\'', '"');
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pipeline(json))
                .withMessageStartingWith("Step 2: ")
                .withMessageContaining(reason);
    }

    @Test
    void pipelinesThatCouldNotRunAreRefused() {
        refused("{}", "Member 'steps' is missing or not an array");
        refused("{\"steps\":{}}", "Member 'steps' is missing or not an array");
        refused("{\"steps\":[]}", "A pipeline has 1 to 50 steps; this one has 0");
        refused("{\"steps\":[],\"step\":1}", "Member 'step' is not known: use steps");
        String remove = "{\"type\":\"remove\",\"columns\":[\"a\"]}";
        refused("{\"steps\":[%s%s]}".formatted(remove, ("," + remove).repeat(50)), "this one has 51");
        assertThat(pipeline("{\"steps\":[%s%s]}".formatted(remove, ("," + remove).repeat(49)))
                        .steps())
                .hasSize(50);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PipelineParser.pipeline(Json.MAPPER.createArrayNode()))
                .withMessage("It is no JSON object");
    }

    @Test
    void stepsOfTheDocumentationAreGood() throws IOException {
        Matcher block = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/use/pipelines.md")));
        List<JsonNode> steps = new ArrayList<>();
        while (block.find()) {
            MappingIterator<JsonNode> read =
                    Json.MAPPER.readerFor(JsonNode.class).readValues(block.group(1));
            while (read.hasNext()) {
                JsonNode json = read.next();
                (json.has("steps") ? json.path("steps") : List.of(json)).forEach(steps::add);
            }
        }
        JsonNode all = Json.object().set("steps", Json.MAPPER.createArrayNode().addAll(steps));
        assertThat(PipelineParser.pipeline(all).steps()).hasSizeGreaterThan(10);
    }

    private static void refused(String json, String reason) {
        assertThatIllegalArgumentException().isThrownBy(() -> pipeline(json)).withMessageContaining(reason);
    }
}

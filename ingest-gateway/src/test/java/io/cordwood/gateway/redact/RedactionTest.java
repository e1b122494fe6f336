package io.cordwood.gateway.redact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.catalog.pipeline.Sensitive;
import io.cordwood.catalog.pipeline.Step;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Redactor ALL = Redactor.of(List.of(new Step.Redact(EnumSet.allOf(Sensitive.class))));
    private static final String CARD = "4111111111111111";

    private static Redactor of(Sensitive... kinds) {
        return Redactor.of(List.of(new Step.Redact(Set.of(kinds))));
    }

    private static String redacted(Redactor redactor, String row) {
        byte[] bytes = ("##" + row + "##").getBytes(UTF_8);
        Optional<byte[]> redacted = redactor.begin().redacted(bytes, 2, bytes.length - 2);
        return redacted.map(text -> new String(text, UTF_8)).orElse(row);
    }

    private static String message(String text) throws Exception {
        String row = JSON.writeValueAsString(JSON.createObjectNode().put("message", text));
        return JSON.readTree(redacted(ALL, row)).path("message").asText();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        paid with 4111111111111111 today             | paid with [redacted:card_number] today
        4111 1111 1111 1111                          | [redacted:card_number]
        4111-1111-1111-1111.                         | [redacted:card_number].
        3782 822463 10005                            | [redacted:card_number]
        378282246310005,5555555555554444             | [redacted:card_number],[redacted:card_number]
        6011111111111117                             | [redacted:card_number]
        write to jörg.o'neil+x@mail.example.com.     | write to [redacted:email].
        <a@b.de>                                     | <[redacted:email]>
        from 10.1.2.3:8080 to 255.255.255.255        | from [redacted:ip_address]:8080 to [redacted:ip_address]
        at 2001:db8::1, [fe80::1ff:fe23:4567:890a]   | at [redacted:ip_address], [[redacted:ip_address]]
        ::ffff:192.168.0.1 and 1:2:3:4:5:6:7:8       | [redacted:ip_address] and [redacted:ip_address]
        password=hunter2 user=a                      | password=[redacted:secret] user=a
        {"password": "hunter 2", "a": 1}             | {"password": "[redacted:secret]", "a": 1}
        db.passwd: 'a b'                             | db.passwd: '[redacted:secret]'
        Authorization: Bearer abc.def                | Authorization: [redacted:secret]
        sent bearer 0123456789abcdef on              | sent bearer [redacted:secret] on
        https://user:pa55@host/x                     | https://user:[redacted:secret]@host/x
        key AKIAIOSFODNN7EXAMPLE used                | key [redacted:secret] used
        eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln    | [redacted:secret]
        ghp_0123456789abcdefghijklmnopqrstuvwxyzAB   | [redacted:secret]
        ?api_key=zyx&x=1                             | ?api_key=[redacted:secret]&x=1
        card=4111+1111+1111+1111&c=4111%201111%201111%201111 | card=[redacted:card_number]&c=[redacted:card_number]
        4111 1111 1111 1111 4111.1111.1111.1111 | [redacted:card_number] [redacted:card_number]
        9792030394440796 2200000000000000004         | [redacted:card_number] [redacted:card_number]
        4111 1111 1111 1111@example.org              | [redacted:card_number]
        email=jane%40example.org&x                   | email=[redacted:email]&x
        客户端IP：10.0.0.1，密钥：AKIAIOSFODNN7EXAMPLE   | 客户端IP：[redacted:ip_address]，密钥：[redacted:secret]
        client:2001:db8::1 ...10.0.0.1 10.0.0.1.443  | client:[redacted:ip_address] ...[redacted:ip_address] [redacted:ip_address].443
        1.1.1.1:2.2.2.2                              | [redacted:ip_address]:[redacted:ip_address]
        Authorization: Bearer  abcdef123456          | Authorization: [redacted:secret]
        {Authorization=[Bearer abcdef123456], b=1}   | {Authorization=[[redacted:secret]], b=1}
        Authorization: Negotiate YIIabcdef           | Authorization: [redacted:secret]
        password="a\\"hunter2" b                     | password="[redacted:secret]" b
        {"password":["hunter2","b"]}                 | {"password":[[redacted:secret]]}
        {"secret":{"a":"hunter2"},"b":1}             | {"secret":{[redacted:secret]},"b":1}
        src:10.0.0.1 node:2001:db8::1 client::10.0.0.1 | src:[redacted:ip_address] node:[redacted:ip_address] client::[redacted:ip_address]
        ::10.0.0.1 http%3A%2F%2F10.0.0.1             | [redacted:ip_address] http%3A%2F%2F[redacted:ip_address]
        10.0.0.1:8080:10.0.0.2:9090                  | [redacted:ip_address]:8080:[redacted:ip_address]:9090
        q=%204111%201111%201111%201111               | q=%20[redacted:card_number]
        private_key=-----BEGIN RSA PRIVATE KEY----- MIIE -----END RSA PRIVATE KEY----- x | private_key=[redacted:secret] x
        Enter password: Password: hunter2            | Enter password: Password: [redacted:secret]
        Authorization: Digest username="Mufasa", response="6629fae4" | Authorization: [redacted:secret]
        user[password]=x db_pass: y                  | user[password]=[redacted:secret] db_pass: [redacted:secret]
        token: Abc1def2                              | token: [redacted:secret]
        {\\"password\\":\\"x\\",\\"a\\":1}   | {\\"password\\":\\"[redacted:secret]\\",\\"a\\":1}
        <password>hunter2</password>                 | <password>[redacted:secret]</password>
        password_confirmation: <hunter2>             | password_confirmation: [redacted:secret]>
        postgres://u:p@hunter2@h/db                  | postgres://u:[redacted:secret]@h/db
        """)
    void sensitiveValuesAreTakenOut(String text, String expected) throws Exception {
        assertThat(message(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4111111111111112",
                "1795168800123456",
                "ratio 0.4111111111111111",
                "94111111111111111111111",
                "version 1.2.3 of 10.1.2",
                "300.1.2.3",
                "at 12:34:56 on aa:bb:cc:dd:ee:ff",
                "std::string x::y",
                "user@host",
                "@media x@ @y.de",
                "max_tokens: 512",
                "token: null, password=true",
                "secretary: Anna",
                "bearer of news",
                "ABC-123 sk-short",
                "Started getty@tty1.service user@1000.service",
                "Basic authentication enabled; bearer certificates",
                "syn::token::Comma",
                "Face::Add a::b ::add DB::dead E::A1 a[1::2] x[::2] 1:: $1::_int4",
                "git 4111111111111111aabbccddeeff001122334455 6efe25b4-4649-4356-9423-7345e9286309",
                "2023 2024 2025 2026",
                "GET /static/logo@2x.png at org.jboss.as.server@15.0.1.Final//org",
                "Invalid token: unexpected end of input",
                "Error in Secret default/db-credentials: retrying",
                "PublicKeyToken=b03f5f7f11d50a3a password_length=12 passwordChangedAt=x",
                "SG.Components.Widgets.Rendering.Foo pypi-attestation-models-and-friends-package",
                "1.3.6.1.4.1.311.21.20",
                "kafka://broker:9092,jane http://a:9200;b@c",
                "pwd: /home/jane PWD=C:\\Users\\jane",
                "sudo: PWD=/home/jane ; USER=root",
                "WWN 50:06:01:60:3b:a0:11:22",
                "http://h:80?x=a b",
                "risk: sk-learn-contrib-package-name-1",
                ""
            })
    void whatOnlyLooksAlikeStays(String text) throws Exception {
        assertThat(message(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"n":4111111111111111,"m":1}               | {"n":"[redacted:card_number]","m":1}
        {"n":[1, 4111111111111111]}                | {"n":[1, "[redacted:card_number]"]}
        {"password":12345, "x":2}                  | {"password":"[redacted:secret]", "x":2}
        {"Client_Secret" : "x\\"y","t":null}       | {"Client_Secret" : "[redacted:secret]","t":null}
        {"token":null,"a":"b"}                     | {"token":null,"a":"b"}
        {"secret":{"a":"b","c":[1,{"d":"e"}]},"f":"g"} | {"secret":{"a":"[redacted:secret]","c":["[redacted:secret]",{"d":"[redacted:secret]"}]},"f":"g"}
        {"secret.a":"b","a.token.v":"c","tokens.a":"d"} | {"secret.a":"[redacted:secret]","a.token.v":"[redacted:secret]","tokens.a":"d"}
        {"password[]":"x","token[0]":"y","pwd":"/home/jane"} | {"password[]":"[redacted:secret]","token[0]":"[redacted:secret]","pwd":"/home/jane"}
        {"order":2026060912025327}                 | {"order":2026060912025327}
        {"x-api-key":["hunter2",""],"a":["b"]}     | {"x-api-key":["[redacted:secret]",""],"a":["b"]}
        {"pass\\u0077ord":"hunter2"}               | {"pass\\u0077ord":"[redacted:secret]"}
        {"n":4.111111111111111E15,"m":41111111111111110e-1,"o":4.5E3} | {"n":"[redacted:card_number]","m":"[redacted:card_number]","o":4.5E3}
        {"password":-Infinity,"a":NaN,"n":4111111111111111} | {"password":-Infinity,"a":NaN,"n":"[redacted:card_number]"}
        ` {"n":4111111111111111,"m":"jane\\u0040example.org"}` | ` {"n":"[redacted:card_number]","m":"[redacted:email]"}`
        {"a@b.de":1}                               | {"[redacted:email]":1}
        {"m":"a\\n\\u0040 p\\u0040q.de \\ud800"}   | {"m":"a\\u000a@ [redacted:email] \\\\ud800"}
        {"m":"{\\"password\\":\\"x\\"}"}           | {"m":"{\\"password\\":\\"[redacted:secret]\\"}"}
        {"a":1E2,"b":"x\\u0001"}                   | {"a":1E2,"b":"x\\u0001"}
        """)
    void allElseStaysByteByByte(String row, String expected) {
        assertThat(redacted(ALL, row)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pay 4111111111111111",
                "{\"m\":\"4111111111111111",
                "{\"m\":\"\\x 4111111111111111\"}",
                "{\"m\":\"\\u00 4111111111111111\"}",
                "{\"m\":4111111111111111",
                "\"4111111111111111",
                "{\"m\":\"4111111111111111\\",
                "{user=jane, card=4111 1111 1111 1111}"
            })
    void nothingPassesBecauseItIsMalformed(String row) {
        assertThat(redacted(ALL, row)).doesNotContain(CARD, "4111 1111").contains("[redacted:card_number]");
    }

    @Test
    void patternsOfTheUserAreTakenOutOfEachValue() {
        Redactor redactor = Redactor.of(List.of(
                new Step.RedactPattern("employee", "\\bE[0-9]{4}\\b"), new Step.RedactPattern("all", "^whole$")));
        assertThat(redacted(redactor, "{\"a\":\"E1234, E12345 and E0001\",\"b\":\"whole\",\"c\":\"whole 1\"}"))
                .isEqualTo(
                        "{\"a\":\"[redacted:employee], E12345 and [redacted:employee]\",\"b\":\"[redacted:all]\",\"c\":\"whole 1\"}");
    }

    @Test
    void valuesAreCounted() {
        Redaction redaction = ALL.begin();
        for (String row : List.of("{\"a\":\"" + CARD + " a@b.de\",\"b\":" + CARD + "}", "{\"c\":\"x@y.org\"}")) {
            byte[] bytes = row.getBytes(UTF_8);
            redaction.redacted(bytes, 0, bytes.length);
        }
        assertThat(redaction.counts()).containsOnly(Map.entry("card_number", 2L), Map.entry("email", 2L));
    }

    @Test
    void onlyTheKindsThatAreAskedFor() {
        String row = "{\"a\":\"" + CARD + " a@b.de 10.0.0.1 password=x\"}";
        assertThat(redacted(of(Sensitive.EMAIL), row))
                .isEqualTo("{\"a\":\"" + CARD + " [redacted:email] 10.0.0.1 password=x\"}");
    }

    /** Each would take hours if a detector read the same bytes again and again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "eyJ-",
                "eyJa.",
                "eyJ",
                "a@",
                "@",
                "a.",
                "1:",
                "::",
                "1.",
                "1.1.1.1:",
                "pwd=/",
                "/pwd:",
                "token: ",
                "secret=[",
                "password: password: ",
                "password=a ",
                "<password>",
                "Authorization: ",
                "x:y@",
                "b.",
                "basic a.",
                "%40",
                "password",
                "password=\\\"",
                "= ",
                "://",
                "-----BEGIN ",
                "4111 ",
                "4",
                "bearer ",
                "sk-",
                "\\u0040",
                "xoxb-a "
            })
    void theTimeIsInProportionToTheText(String part) {
        String row = "{\"m\":\"" + part.repeat(1_000_000 / part.length()) + "\"}";
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> redacted(ALL, row));
    }

    /** Finding all matches may read the text to its end for each: then what is left goes as a whole. */
    @Test
    void aPatternThatReadsTooMuchEndsTheText() {
        Redactor redactor = Redactor.of(List.of(new Step.RedactPattern("a", "a.*b|a")));
        String row = "{\"m\":\"" + "a".repeat(100_000) + "\"}";
        assertThat(Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> redacted(redactor, row)))
                .endsWith("[redacted:a]\"}")
                .doesNotContain("aa");
    }

    /** What matches often is found everywhere, and nothing else is taken out. */
    @Test
    void aPatternThatMatchesOftenTakesOnlyWhatMatches() {
        Redactor redactor = Redactor.of(List.of(new Step.RedactPattern("order", "ORD-[0-9]{6,}")));
        String text = "ä😀 innocent %s ".repeat(500);
        String row = "{\"m\":\"" + text.replace("%s", "ORD-123456") + "x".repeat(50_000) + "\"}";
        assertThat(redacted(redactor, row)).isEqualTo(row.replace("ORD-123456", "[redacted:order]"));
    }

    /** A character of several bytes stays whole where the local part of an address is cut. */
    @Test
    void charactersStayWhole() throws Exception {
        assertThat(message("界".repeat(100) + "a@b.de")).isEqualTo("界".repeat(58) + "[redacted:email]");
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                        Arbitraries.of(
                                "\"",
                                "\\",
                                "{",
                                "}",
                                ":",
                                ",",
                                " ",
                                "@",
                                "a@b.de",
                                "password",
                                "=",
                                "10.0.0.1",
                                "\u0001",
                                "ä",
                                "😀",
                                "4111",
                                "4111 ",
                                "e",
                                "-",
                                "eyJ",
                                "."),
                        Arbitraries.strings().ofMaxLength(5))
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
    }

    /** Whatever is around a value, it is not in the row that comes out, which is JSON with the same members. */
    @Property(tries = 500)
    void whatIsPlantedIsGone(@ForAll("texts") String before, @ForAll("texts") String after) throws Exception {
        String row = JSON.writeValueAsString(JSON.createObjectNode()
                .put("first", before)
                .put("message", before + " " + CARD + " " + after)
                .put("last", after));
        String redacted = redacted(of(Sensitive.CARD_NUMBER, Sensitive.SECRET), row);
        assertThat(redacted).doesNotContain(CARD);
        JsonNode json = JSON.readTree(redacted);
        assertThat(json.fieldNames()).toIterable().containsExactly("first", "message", "last");
    }
}

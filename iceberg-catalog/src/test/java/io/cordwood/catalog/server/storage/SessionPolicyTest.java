package io.cordwood.catalog.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.iceberg.exceptions.ForbiddenException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;

/** What is sent to a security token service. What it makes of it is in {@link VendedKeysIT}. */
class SessionPolicyTest {
    private static final String ROLE = "arn:aws:iam::1:role/readers";

    @Test
    void attack16AKeyReadsTheObjectsOfOneTable() {
        assertThat(SessionPolicy.reading(ROLE, "lake", "wh/acme/logs/made-1/"))
                .isEqualTo("{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\","
                        + "\"Action\":[\"s3:GetObject\"],"
                        + "\"Resource\":[\"arn:aws:s3:::lake/wh/acme/logs/made-1/*\"]}]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"w*h/", "wh/a?/", "wh/${aws:username}/", "wh/a$/"})
    void attack16ALocationThatAPolicyCouldTakeForAPatternGetsNoKey(String prefix) {
        assertThatThrownBy(() -> SessionPolicy.reading(ROLE, "lake", prefix))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining(prefix);
    }

    @Test
    void attack16AQuoteEndsNoText() {
        assertThat(SessionPolicy.reading(ROLE, "lake", "wh/a\",\"arn:aws:s3:::lake/"))
                .contains("lake/wh/a\\\",\\\"arn:aws:s3:::lake/*\"]");
    }

    @Test
    void attack17AKeyNeitherWritesNorLists() {
        assertThat(SessionPolicy.reading(ROLE, "lake", "wh/")).doesNotContain("Put", "Delete", "List", "Abort", "s3:*");
    }

    @Test
    void aSessionLastsAnHour() {
        AssumeRoleRequest request = VendedKeys.request(ROLE, "lake", "wh/acme/logs/");
        assertThat(request.durationSeconds()).isEqualTo(3600);
        assertThat(request.roleArn()).isEqualTo(ROLE);
        assertThat(request.policy()).isEqualTo(SessionPolicy.reading(ROLE, "lake", "wh/acme/logs/"));
    }

    @Test
    void bucketsAreNamedInThePartitionOfTheRole() {
        assertThat(SessionPolicy.reading("arn:aws-cn:iam::1:role/r", "lake", "wh/"))
                .contains("arn:aws-cn:s3:::lake/");
        assertThat(SessionPolicy.reading("arn:minio:iam:::role/r", "lake", "wh/"))
                .contains("arn:aws:s3:::lake/");
    }
}

package io.cordwood.catalog.server.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.apache.iceberg.exceptions.ForbiddenException;

/**
 * The policy of a session that reads the objects of one table and does nothing else. Stateless.
 *
 * <p>A key that writes could replace objects that are committed, and no policy excludes that for every kind of upload.
 * So clients write by remote signing only.
 */
final class SessionPolicy {
    private static final String AWS = "aws";
    /** Wildcards, and what variables begin with. */
    private static final Pattern PATTERN = Pattern.compile("[*?$]");

    private SessionPolicy() {}

    /**
     * The policy in JSON.
     *
     * @param roleArn the role that is assumed, which says the partition of AWS
     * @param prefix of the keys, with a slash at the end
     * @throws ForbiddenException if a store could take the prefix for a pattern of other keys too
     */
    static String reading(String roleArn, String bucket, String prefix) {
        // AWS has an escape, ${*}. MinIO takes that for a pattern
        if (PATTERN.matcher(prefix).find()) {
            throw new ForbiddenException(
                    "No keys are vended for s3://%s/%s: in a policy its characters *, ? and $ could stand for others."
                            + " Ask for remote-signing alone",
                    bucket, prefix);
        }
        String partition = roleArn.split(":", 3)[1];
        ObjectNode policy = Json.object().put("Version", "2012-10-17");
        ObjectNode statement = policy.putArray("Statement").addObject();
        statement.put("Effect", "Allow");
        statement.putArray("Action").add("s3:GetObject");
        statement
                .putArray("Resource")
                .add("arn:%s:s3:::%s/%s*".formatted(partition.startsWith(AWS) ? partition : AWS, bucket, prefix));
        return new String(Json.bytes(policy), StandardCharsets.UTF_8);
    }
}

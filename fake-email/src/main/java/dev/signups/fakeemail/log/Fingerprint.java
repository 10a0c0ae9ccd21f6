package dev.signups.fakeemail.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** Tells one mail from another: 128 bits of the SHA-256 of its parts. */
public record Fingerprint(long high, long low) {

    /** Each part goes in with its length, so that no two lists of parts look alike. */
    public static Fingerprint of(@Nullable String... parts) {
        MessageDigest digest = sha256();
        for (String part : parts) {
            byte[] bytes = part == null ? new byte[0] : part.getBytes(StandardCharsets.UTF_8);
            digest.update(ByteBuffer.allocate(4)
                    .putInt(part == null ? -1 : bytes.length)
                    .flip());
            digest.update(bytes);
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new Fingerprint(hash.getLong(), hash.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

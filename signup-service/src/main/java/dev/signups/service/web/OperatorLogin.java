package dev.signups.service.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.stereotype.Component;

/**
 * Knows the one login there is.
 *
 * <p>Compares digests, which takes as long for a near miss as for any other: no hint to be had, and no slow hash to be
 * flooded with guesses.
 */
@Component
class OperatorLogin implements AuthenticationProvider {

    static final String OPERATOR = "operator";

    private final byte[] expected;

    OperatorLogin(OperatorProperties operator) {
        this.expected = digest(OPERATOR + ":" + operator.password());
    }

    @Override
    public Authentication authenticate(Authentication login) {
        byte[] given = digest(login.getName() + ":" + login.getCredentials());
        if (!MessageDigest.isEqual(expected, given)) {
            throw new BadCredentialsException("not the operator's login");
        }
        return UsernamePasswordAuthenticationToken.authenticated(
                OPERATOR, null, AuthorityUtils.createAuthorityList("ROLE_" + OPERATOR));
    }

    @Override
    public boolean supports(Class<?> type) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(type);
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

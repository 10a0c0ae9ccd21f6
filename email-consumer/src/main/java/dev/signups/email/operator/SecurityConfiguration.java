package dev.signups.email.operator;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.springframework.boot.security.autoconfigure.web.servlet.PathRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;

/** Health and metrics are open, all else is the operator's. No sessions; other sites cannot ride the login. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    static final String OPERATOR = "operator";

    @Bean
    SecurityFilterChain security(HttpSecurity http, OperatorProperties operator) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers(
                                "/actuator/health", "/actuator/health/**", "/actuator/prometheus")
                        .permitAll()
                        .requestMatchers(PathRequest.toStaticResources().atCommonLocations())
                        .permitAll()
                        .requestMatchers("/api/**", "/emails", "/emails/**", "/error")
                        .hasRole("OPERATOR")
                        .anyRequest()
                        .denyAll())
                .httpBasic(Customizer.withDefaults())
                .authenticationManager(onlyOperator(operator.password()))
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // there is no session to keep a token in: the origin of the request is checked instead
                .csrf(AbstractHttpConfigurer::disable)
                .addFilterBefore(new SameOriginFilter(), AuthorizationFilter.class)
                .headers(
                        headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives("default-src 'none';"
                                + " style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")))
                .build();
    }

    /** One user, compared in constant time: a slow hash would only slow down every call of a stateless API. */
    private static AuthenticationManager onlyOperator(String password) {
        byte[] expected = digest(password);
        return login -> {
            boolean right = MessageDigest.isEqual(expected, digest(String.valueOf(login.getCredentials())));
            if (!right || !OPERATOR.equals(login.getName())) {
                throw new BadCredentialsException("wrong user or password");
            }
            return UsernamePasswordAuthenticationToken.authenticated(
                    OPERATOR, null, List.of(new SimpleGrantedAuthority("ROLE_OPERATOR")));
        };
    }

    private static byte[] digest(String password) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(password.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

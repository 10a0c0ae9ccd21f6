package dev.signups.service.web;

import jakarta.servlet.DispatcherType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/**
 * Who may do what: anyone may sign up, the operator may see users, nobody else may do anything.
 *
 * <p>No sessions. Forms carry a token that must equal a cookie's, for browsers add Basic credentials to a forged post as
 * readily as to a real one. {@code POST /api/users} needs none: it acts for nobody, and JSON cannot be posted across
 * origins without asking first.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    SecurityFilterChain security(HttpSecurity http, ProblemWriter problems) {
        return http.authorizeHttpRequests(
                        requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.FORWARD)
                                .permitAll()
                                .requestMatchers(HttpMethod.GET, "/api/users", "/api/users/*")
                                .hasRole(OperatorLogin.OPERATOR)
                                .requestMatchers(HttpMethod.HEAD, "/api/users", "/api/users/*")
                                .hasRole(OperatorLogin.OPERATOR)
                                // only POST leads anywhere, and whoever tries another method is to be told so
                                .requestMatchers("/api/users")
                                .permitAll()
                                .requestMatchers("/", "/signup", "/style.css", "/error")
                                .permitAll()
                                .requestMatchers(HttpMethod.GET, "/actuator/health/**", "/actuator/prometheus")
                                .permitAll()
                                .anyRequest()
                                .hasRole(OperatorLogin.OPERATOR))
                .httpBasic(basic -> basic.realmName("signups")
                        .authenticationEntryPoint((request, response, failure) -> {
                            response.setHeader("WWW-Authenticate", "Basic realm=\"signups\", charset=\"UTF-8\"");
                            problems.write(response, HttpStatus.UNAUTHORIZED, "The operator's login is needed.");
                        }))
                .exceptionHandling(
                        failures -> failures.accessDeniedHandler((request, response, failure) -> problems.write(
                                response,
                                HttpStatus.FORBIDDEN,
                                "The form has expired or came from another site. Load it again.")))
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(csrf -> csrf.csrfTokenRepository(new CookieCsrfTokenRepository())
                        .ignoringRequestMatchers("/api/**"))
                .requestCache(cache -> cache.disable())
                .logout(logout -> logout.disable())
                .headers(headers -> headers.contentSecurityPolicy(policy ->
                                policy.policyDirectives("default-src 'none'; style-src 'self'; img-src 'self';"
                                        + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"))
                        .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.NO_REFERRER)))
                .build();
    }
}

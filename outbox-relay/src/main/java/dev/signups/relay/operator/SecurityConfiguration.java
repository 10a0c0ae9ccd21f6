package dev.signups.relay.operator;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Health, metrics and the relay's state are open; everything else wants the operator's login. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers("/actuator/health/**", "/actuator/prometheus")
                                .permitAll()
                                .requestMatchers(HttpMethod.GET, "/api/relay")
                                .permitAll()
                                .anyRequest()
                                .hasRole("OPERATOR"))
                .httpBasic(Customizer.withDefaults())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // no cookies; a browser that was given the login could still be made to post a form, which no
                // endpoint accepts: bodies are JSON, which another site cannot send without being asked first
                .csrf(csrf -> csrf.disable())
                .build();
    }

    @Bean
    PasswordEncoder passwordEncoder() {
        return PasswordEncoderFactories.createDelegatingPasswordEncoder();
    }

    @Bean
    UserDetailsService operator(OperatorProperties properties, PasswordEncoder encoder) {
        return new InMemoryUserDetailsManager(User.withUsername("operator")
                .password(encoder.encode(properties.password()))
                .roles("OPERATOR")
                .build());
    }

    /**
     * The operator's login; the name is `operator`.
     *
     * @param password from OPERATOR_PASSWORD; there is no default
     */
    @ConfigurationProperties("relay.operator")
    record OperatorProperties(String password) {

        OperatorProperties {
            if (password == null || password.isBlank()) {
                throw new IllegalArgumentException(
                        "OPERATOR_PASSWORD is not set: give the operator's login a password in the environment");
            }
        }

        @Override
        public String toString() {
            return "OperatorProperties[password=***]";
        }
    }
}

package dev.signups.service.web;

import jakarta.validation.constraints.NotBlank;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

/**
 * The operator's login.
 *
 * @param password the password of user {@code operator}
 */
@Validated
@ConfigurationProperties("signup.operator")
record OperatorProperties(
        @NotBlank(message = "set the environment variable OPERATOR_PASSWORD: it has no default") String password) {

    @Override
    public String toString() {
        return "OperatorProperties[…]";
    }
}

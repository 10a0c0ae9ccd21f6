package dev.signups.email.operator;

import jakarta.validation.constraints.NotBlank;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

/**
 * The operator's login.
 *
 * @param password password of user operator
 */
@Validated
@ConfigurationProperties("operator")
record OperatorProperties(
        @NotBlank(message = "set OPERATOR_PASSWORD: the operator's login has no default") String password) {

    @Override
    public String toString() {
        return "OperatorProperties[not shown]";
    }
}

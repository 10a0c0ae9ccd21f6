package dev.signups.email.provider;

import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Where e-mail goes.
 *
 * @param kind http or smtp
 * @param url address of the provider's HTTP API, without path
 * @param apiKey bearer key for the HTTP API; empty: none is sent
 * @param from sender's address, for SMTP
 * @param connectTimeout longest wait for a connection
 * @param responseTimeout longest wait from the request to the last byte of the answer
 * @param defaultRetryAfter wait after a 429 that says no time
 */
@Validated
@ConfigurationProperties("provider")
record ProviderProperties(
        @DefaultValue("http") @NotNull Kind kind,
        @NotNull URI url,
        @DefaultValue("") String apiKey,

        @DefaultValue("welcome@signups.example") @NotBlank @Email String from,

        @DefaultValue("5s") @NotNull Duration connectTimeout,
        @DefaultValue("30s") @NotNull Duration responseTimeout,
        @DefaultValue("5s") @NotNull Duration defaultRetryAfter) {

    /** The provider's protocol. */
    enum Kind {
        /** An HTTP API with idempotency keys. */
        HTTP,
        /** A mail server. */
        SMTP
    }

    @AssertTrue(message = "provider.url must be an http or https address") boolean isUrlUsable() {
        return url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
    }

    @AssertTrue(message = "provider.connect-timeout and provider.response-timeout must be longer than nothing") boolean isPatient() {
        return connectTimeout.isPositive() && responseTimeout.isPositive();
    }

    @Override
    public String toString() {
        return "ProviderProperties[kind=" + kind + ", url=" + url + ", apiKey not shown]";
    }
}

package dev.signups.service.stage;

import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How the stages call the provider: stage 1 in the service, stage 2 in its worker. The last three are the article's band-aids, for stage 1 alone and off by default.
 *
 * @param url the provider's address
 * @param timeLimit how long a call may take; no limit where it is not set
 * @param bulkhead calls at once, beyond which a call is refused; 0 for no limit
 * @param breaker whether calls are refused for a while after half of the last hundred failed
 */
@Validated
@ConfigurationProperties("signup.stage.provider")
@ConditionalOnProperty(name = "signup.welcome-email", havingValue = "inline")
record ProviderProperties(
        @DefaultValue("http://127.0.0.1:8081") URI url,
        @Nullable Duration timeLimit,
        @DefaultValue("0") @Min(0) int bulkhead,
        @DefaultValue("false") boolean breaker) {}

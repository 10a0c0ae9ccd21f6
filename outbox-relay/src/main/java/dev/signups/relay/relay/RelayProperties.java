package dev.signups.relay.relay;

import dev.signups.relay.recovery.GapRecovery;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The relay's life.
 *
 * @param standbyInterval how often a standby tries to become the leader
 * @param lease a leader that has not been heard of for this long is taken for dead, even if its connection stands
 * @param restartInterval wait before the next start after a failure, growing to ten times as much
 * @param silence the engine is started anew when the relay's own heartbeat has not come back for this long
 * @param recovery what to do about rows that are older than what the topic still holds, after a lost slot: `refuse`
 *     (stop and say so), `publish` (they may be sent twice) or `skip` (they may be lost)
 * @param exitOnFatal whether the process ends when the first check finds what waiting cannot mend
 */
@Validated
@ConfigurationProperties("relay")
public record RelayProperties(
        @DefaultValue("200ms") Duration standbyInterval,
        @DefaultValue("10s") Duration lease,
        @DefaultValue("1s") Duration restartInterval,
        @DefaultValue("30s") Duration silence,
        @DefaultValue("refuse") GapRecovery.OlderRows recovery,
        @DefaultValue("true") boolean exitOnFatal) {}

package dev.signups.fakeemail.send;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * What a request to send may be.
 *
 * @param maxBody longest body, 1 KB to 10 MB
 */
@Validated
@ConfigurationProperties("fake-email.send")
record SendProperties(@DefaultValue("256KB") DataSize maxBody) {

    SendProperties {
        if (maxBody.toBytes() < 1024 || maxBody.toBytes() > 10 * 1024 * 1024) {
            throw new IllegalArgumentException("fake-email.send.max-body must be between 1KB and 10MB");
        }
    }
}

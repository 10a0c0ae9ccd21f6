package dev.signups.fakeemail.fault;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Settings that cannot be used; names each bad field, and changes nothing. */
class InvalidSettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, String> errors;

    InvalidSettingsException(Map<String, String> errors) {
        super(errors.entrySet().stream()
                .map(error -> error.getKey() + " " + error.getValue())
                .collect(Collectors.joining("; ")));
        this.errors = new TreeMap<>(errors);
    }

    Map<String, String> errors() {
        return errors;
    }
}

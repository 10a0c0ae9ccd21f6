package dev.signups.localstack.demo;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * What the environment sets.
 *
 * @param ports the port of each process
 * @param operatorPassword the password of user {@code operator}
 */
record Settings(Map<Member, Integer> ports, String operatorPassword) {

    static final String DEFAULT_PASSWORD = "demo";

    Settings {
        ports = Map.copyOf(ports);
    }

    static Settings from(Map<String, String> environment) {
        Map<Member, Integer> ports = new EnumMap<>(Member.class);
        Map<Integer, Member> taken = new HashMap<>();
        for (Member member : Member.values()) {
            int port = port(member, environment);
            Member other = taken.put(port, member);
            if (other != null) {
                throw DemoFailure.usage(
                        "%s and %s both ask for port %d".formatted(other.portSetting(), member.portSetting(), port));
            }
            ports.put(member, port);
        }
        String password = environment.getOrDefault("OPERATOR_PASSWORD", "");
        return new Settings(ports, password.isEmpty() ? DEFAULT_PASSWORD : password);
    }

    private static int port(Member member, Map<String, String> environment) {
        String value = environment.getOrDefault(member.portSetting(), "");
        if (value.isEmpty()) {
            return member.defaultPort();
        }
        try {
            int port = Integer.parseInt(value);
            if (port >= 1 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // the same line as for a number out of range
        }
        throw DemoFailure.usage(member.portSetting() + " is a port, 1 to 65535, not '" + value + "'");
    }

    @Override
    public String toString() {
        return "Settings[ports=" + ports + "]";
    }
}

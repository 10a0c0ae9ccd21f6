package dev.signups.localstack.demo;

import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one run of the demo is made of: enough for another shell, or the next run, to find it.
 *
 * @param stage of the article, 1 to 3
 * @param data folder of the servers' data
 * @param detached whether it was started to go on without its launcher
 * @param launcher the launcher's own process
 * @param settings ports and the operator's password
 * @param processes what was started and not stopped on purpose; a process that died is still here
 */
record DemoState(
        int stage,
        Path data,
        boolean detached,
        OwnedProcess launcher,
        Settings settings,
        Map<Member, OwnedProcess> processes) {

    DemoState {
        processes = Map.copyOf(processes);
    }

    DemoState with(Member member, OwnedProcess process) {
        Map<Member, OwnedProcess> changed = copy();
        changed.put(member, process);
        return new DemoState(stage, data, detached, launcher, settings, changed);
    }

    DemoState without(Member member) {
        Map<Member, OwnedProcess> changed = copy();
        changed.remove(member);
        return new DemoState(stage, data, detached, launcher, settings, changed);
    }

    /** Whether it belongs to somebody: its launcher lives, or it needs none and a process lives. */
    boolean isRunning() {
        return launcher.isAlive() || (detached && processes.values().stream().anyMatch(OwnedProcess::isAlive));
    }

    /** What this run consists of, in a fixed order. */
    Set<Member> members() {
        return Member.of(stage);
    }

    boolean isAlive(Member member) {
        OwnedProcess process = processes.get(member);
        return process != null && process.isAlive();
    }

    int port(Member member) {
        Integer port = settings.ports().get(member);
        return port == null ? member.defaultPort() : port;
    }

    Properties toProperties() {
        Properties properties = new Properties();
        properties.setProperty("stage", Integer.toString(stage));
        properties.setProperty("data", data.toString());
        properties.setProperty("detached", Boolean.toString(detached));
        properties.setProperty("operator.password", settings.operatorPassword());
        put(properties, "launcher", launcher);
        for (Member member : Member.values()) {
            properties.setProperty(member.label() + ".port", Integer.toString(port(member)));
            OwnedProcess process = processes.get(member);
            if (process != null) {
                put(properties, member.label(), process);
            }
        }
        return properties;
    }

    static DemoState from(Properties properties) {
        Map<Member, OwnedProcess> processes = new EnumMap<>(Member.class);
        Map<Member, Integer> ports = new EnumMap<>(Member.class);
        for (Member member : Member.values()) {
            ports.put(member, Integer.valueOf(properties.getProperty(member.label() + ".port")));
            OwnedProcess process = get(properties, member.label(), member.program());
            if (process != null) {
                processes.put(member, process);
            }
        }
        OwnedProcess launcher = get(properties, "launcher", "java");
        return new DemoState(
                Integer.parseInt(properties.getProperty("stage", "3")),
                Path.of(properties.getProperty("data")),
                Boolean.parseBoolean(properties.getProperty("detached")),
                launcher == null ? new OwnedProcess(0, Instant.EPOCH, "java") : launcher,
                new Settings(ports, properties.getProperty("operator.password")),
                processes);
    }

    private Map<Member, OwnedProcess> copy() {
        Map<Member, OwnedProcess> copy = new EnumMap<>(Member.class);
        copy.putAll(processes);
        return copy;
    }

    private static void put(Properties properties, String name, OwnedProcess process) {
        properties.setProperty(name + ".pid", Long.toString(process.pid()));
        properties.setProperty(name + ".started", process.startedAt().toString());
    }

    private static @Nullable OwnedProcess get(Properties properties, String name, String program) {
        String pid = properties.getProperty(name + ".pid");
        return pid == null
                ? null
                : new OwnedProcess(
                        Long.parseLong(pid), Instant.parse(properties.getProperty(name + ".started")), program);
    }
}

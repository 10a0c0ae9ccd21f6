package dev.signups.localstack.demo;

import java.util.EnumSet;
import java.util.Set;

/** Notices processes that end without being stopped, and those that another shell stopped or started again. */
final class Watch {

    private static final long LOOK_MILLIS = 1000;

    private final StateFile stateFile;
    private final Console console;
    private final Set<Member> down = EnumSet.noneOf(Member.class);
    private final Set<Member> suspected = EnumSet.noneOf(Member.class);
    private long next;

    Watch(StateFile stateFile, Console console) {
        this.stateFile = stateFile;
        this.console = console;
    }

    /** Looks once a second, however often it is called. */
    void look() {
        long now = System.currentTimeMillis();
        if (now >= next) {
            next = now + LOOK_MILLIS;
            stateFile.read().ifPresent(this::look);
        }
    }

    void look(DemoState state) {
        for (Member member : state.members()) {
            boolean onPurpose = !state.processes().containsKey(member);
            if (state.isAlive(member)) {
                suspected.remove(member);
                if (down.remove(member)) {
                    console.line(member.label() + " is started again");
                }
            } else if (onPurpose || !suspected.add(member)) {
                // dead for two looks: at one, somebody may just be stopping it
                report(member, onPurpose ? "was stopped" : "has died");
            }
        }
    }

    private void report(Member member, String what) {
        if (down.add(member)) {
            console.line(member.label() + " " + what + "; start it again with: infra/demo --start " + member.label());
        }
    }
}

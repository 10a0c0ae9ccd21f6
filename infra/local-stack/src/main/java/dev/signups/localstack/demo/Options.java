package dev.signups.localstack.demo;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param action what to do
 * @param member the process that {@code --stop} or {@code --start} is about; null means all
 * @param data folder to keep the data in; null means a fresh one
 * @param stage of the article, 1 to 3
 * @param detach whether to return when all is ready
 */
record Options(
        Action action, @Nullable Member member, @Nullable Path data, int stage, boolean detach) {

    private static final int LAST_STAGE = 3;

    /** What the launcher is asked to do. */
    enum Action {
        /** Start everything. */
        RUN,
        /** Stop one process or everything. */
        STOP,
        /** Start one process again. */
        START,
        /** Say how each process is. */
        STATUS,
        /** Fail where a demo is running: asked before anything is built. */
        CHECK
    }

    static Options parse(List<String> arguments, Path workingFolder) {
        Action action = Action.RUN;
        Member member = null;
        Path data = null;
        int stage = 0;
        boolean detach = false;
        Deque<String> left = new ArrayDeque<>(arguments);
        while (!left.isEmpty()) {
            String argument = left.pop();
            switch (argument) {
                case "--detach" -> detach = true;
                case "--data" ->
                    data = workingFolder.resolve(value(argument, left)).normalize();
                case "--stage" -> stage = stage(value(argument, left));
                case "--status" -> action = only(action, Action.STATUS);
                case "--check" -> action = only(action, Action.CHECK);
                case "--start" -> {
                    action = only(action, Action.START);
                    member = Member.named(value(argument, left));
                }
                case "--stop" -> {
                    action = only(action, Action.STOP);
                    member = isValue(left.peek()) ? Member.named(left.pop()) : null;
                }
                default -> {
                    int equals = argument.indexOf('=');
                    if (!argument.startsWith("--") || equals < 0) {
                        throw DemoFailure.usage("'" + argument + "' is not an option; see infra/demo --help");
                    }
                    left.push(argument.substring(equals + 1));
                    left.push(argument.substring(0, equals));
                }
            }
        }
        if (action == Action.STOP || action == Action.START || action == Action.STATUS) {
            if (detach || data != null || stage != 0) {
                throw DemoFailure.usage("--detach, --data and --stage belong to a start of the whole demo");
            }
        }
        return new Options(action, member, data, stage == 0 ? LAST_STAGE : stage, detach);
    }

    private static Action only(Action before, Action now) {
        if (before != Action.RUN) {
            throw DemoFailure.usage("one of --stop, --start and --status at a time");
        }
        return now;
    }

    private static String value(String option, Deque<String> left) {
        if (!isValue(left.peek())) {
            throw DemoFailure.usage(option + " needs a value; see infra/demo --help");
        }
        return left.pop();
    }

    private static boolean isValue(@Nullable String argument) {
        return argument != null && !argument.isEmpty() && !argument.startsWith("--");
    }

    private static int stage(String stage) {
        return switch (stage) {
            case "1" -> 1;
            case "2" -> 2;
            case "3" -> LAST_STAGE;
            default -> throw DemoFailure.usage("--stage is 1, 2 or 3, not '" + stage + "'");
        };
    }
}

package dev.signups.localstack.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command {@code infra/demo}, which the script of that name starts with the folders as properties. */
public final class Demo {

    private final Folders folders;
    private final Map<String, String> environment;
    private final Console console = new Console(System.out);

    private Demo(Folders folders, Map<String, String> environment) {
        this.folders = folders;
        this.environment = environment;
    }

    /** Runs one command; exit code 1 where the machine is in the way, 2 where the command line is. */
    public static void main(String[] arguments) {
        try {
            Path workingFolder = Path.of("").toAbsolutePath();
            Options options = Options.parse(List.of(arguments), workingFolder);
            Path infra = Path.of(System.getProperty("demo.infra", "infra")).toAbsolutePath();
            Path home = Path.of(System.getProperty(
                            "demo.home", infra.resolve(".demo").toString()))
                    .toAbsolutePath();
            new Demo(Folders.of(infra, home), System.getenv()).run(options);
        } catch (DemoFailure e) {
            System.err.println("demo: " + e.getMessage());
            System.exit(e.exitCode());
        }
    }

    private void run(Options options) {
        switch (options.action()) {
            case CHECK -> Checks.noDemoRuns(folders.state());
            case RUN -> new Run(folders, environment, console).run(options);
            case STATUS -> new Status(folders.state(), environment).lines().forEach(console::line);
            case START, STOP -> new Control(folders, environment, console).run(options);
        }
    }
}

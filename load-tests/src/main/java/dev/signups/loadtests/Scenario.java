package dev.signups.loadtests;

import java.util.Map;

/** Something that {@code load-tests/run} can do. */
public interface Scenario {

    /** What it is called on the command line and in its result line. */
    String name();

    /** What it measures, in a line. */
    String description();

    /** Its parameters and their defaults; {@code quick} is there for all. */
    Map<String, String> parameters();

    /** Runs it. An exception means that nothing was measured. */
    Outcome run(Parameters parameters, Workspace workspace) throws Exception;
}

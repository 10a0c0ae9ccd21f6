package dev.signups.email.provider;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Answers each command of a session as told and everything else with 250; "cut" ends the connection instead. */
final class ScriptedSmtpServer implements AutoCloseable {

    private final ServerSocket socket;
    private final Map<String, String> answers;

    /** @param answers by command (RCPT, DATA), and that to the end of a message by "." */
    ScriptedSmtpServer(Map<String, String> answers) {
        this.answers = answers;
        try {
            socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
                session(client, in);
            } catch (IOException e) {
                // closed, or the client went away
            }
        }
    }

    private void session(Socket client, BufferedReader in) throws IOException {
        say(client, "220 scripted");
        boolean message = false;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (message && !line.equals(".")) {
                continue;
            }
            String command = line.split("[ :]", 2)[0];
            String answer = answers.getOrDefault(command, command.equals("DATA") ? "354 go on" : "250 ok");
            if (answer.equals("cut")) {
                return;
            }
            message = command.equals("DATA") && answer.startsWith("354");
            say(client, answer);
            if (command.equals("QUIT")) {
                return;
            }
        }
    }

    private static void say(Socket client, String line) throws IOException {
        client.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

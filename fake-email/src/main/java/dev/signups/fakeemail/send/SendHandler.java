package dev.signups.fakeemail.send;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /api/emails}, as a handler of the web server itself, in front of Spring MVC, which serves all the rest. No
 * thread waits with a send, and the connection is in reach to be reset.
 */
class SendHandler extends Handler.Wrapper {

    private static final Logger log = LoggerFactory.getLogger(SendHandler.class);

    private static final String PATH = "/api/emails";

    private final MailReader reader;
    private final Provider provider;
    private final SendJournal journal;
    private final ProblemWriter problems;
    private final InstantSource clock;

    SendHandler(
            MailReader reader, Provider provider, SendJournal journal, ProblemWriter problems, InstantSource clock) {
        this.reader = reader;
        this.provider = provider;
        this.journal = journal;
        this.problems = problems;
        this.clock = clock;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!PATH.equals(request.getHttpURI().getPath())) {
            return super.handle(request, response, callback);
        }
        var exchange = new Exchange(request, response, callback);
        if (!"POST".equals(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "POST");
            exchange.write(Answer.Refused.because(Refusal.NOT_POST));
            return true;
        }
        exchange.begin(clock.instant());
        return true;
    }

    /** One request and its answer, whenever that comes. */
    private final class Exchange implements Reply {

        private final Request request;
        private final Response response;
        private final Callback callback;

        Exchange(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
        }

        void begin(Instant at) {
            journal.opened();
            MailReader.Head head = reader.head(request.getHeaders(), request.getLength(), at);
            if (head.fault() != null) {
                take(head.faulty(head.fault()));
                return;
            }
            new BodyReader(request, reader.maxBody()) {
                @Override
                void complete(byte[] body) {
                    take(reader.read(head, body));
                }

                @Override
                void tooLarge() {
                    take(head.faulty(Refusal.TOO_LARGE));
                }

                @Override
                void broken(Throwable failure) {
                    response.getHeaders().put(HttpHeader.CONNECTION, "close");
                    with(Answer.Refused.because(Refusal.INCOMPLETE));
                }
            }.run();
        }

        private void take(Incoming incoming) {
            // from here on the connection is idle on purpose, for longer perhaps than an idle one is kept
            request.addIdleTimeoutListener(_ -> false);
            try {
                provider.take(incoming, this);
            } catch (RuntimeException e) {
                failed(e);
            }
        }

        @Override
        public void with(Answer answer) {
            journal.closed();
            write(answer);
        }

        @Override
        public void failed(Throwable failure) {
            log.error("a send ended in a bug", failure);
            with(Answer.Refused.because(Refusal.BROKEN));
        }

        void write(Answer answer) {
            switch (answer) {
                case Answer.Accepted accepted -> write(accepted);
                case Answer.Refused refused -> write(refused);
                case Answer.Reset _ -> reset();
            }
        }

        private void write(Answer.Accepted accepted) {
            if (accepted.replayed()) {
                response.getHeaders().put("Idempotent-Replayed", "true");
            }
            String body = "{\"messageId\":\"" + accepted.messageId() + "\"}";
            write(202, "application/json", body.getBytes(StandardCharsets.UTF_8));
        }

        private void write(Answer.Refused refused) {
            if (refused.retryAfter() != null) {
                response.getHeaders().put(HttpHeader.RETRY_AFTER, refused.retryAfter());
            }
            if (refused.why().status() == 401) {
                response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
            }
            write(refused.why().status(), "application/problem+json", problems.bytesOf(refused));
        }

        private void write(int status, String type, byte[] body) {
            response.setStatus(status);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
            response.write(true, ByteBuffer.wrap(body), callback);
        }

        /** With SO_LINGER 0 a close goes out as TCP RST instead of FIN. */
        private void reset() {
            EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
            var reason = new EofException("reset on purpose");
            try {
                if (endPoint.getTransport() instanceof SocketChannel channel) {
                    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
            } catch (IOException e) {
                reason.addSuppressed(e);
            }
            endPoint.close(reason);
            callback.failed(reason);
        }
    }
}

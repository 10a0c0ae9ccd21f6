package dev.signups.fakeemail.send;

import java.io.ByteArrayOutputStream;
import org.eclipse.jetty.io.Content;

/** Collects a request's body as it arrives, up to a limit, without a thread that waits for it. */
abstract class BodyReader implements Runnable {

    private final Content.Source source;
    private final int limit;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(512);

    BodyReader(Content.Source source, int limit) {
        this.source = source;
        this.limit = limit;
    }

    abstract void complete(byte[] body);

    abstract void tooLarge();

    abstract void broken(Throwable failure);

    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = source.read();
            if (chunk == null) {
                source.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                broken(chunk.getFailure());
                return;
            }
            boolean fits = body.size() + chunk.remaining() <= limit;
            boolean last = chunk.isLast();
            if (fits) {
                byte[] bytes = new byte[chunk.remaining()];
                chunk.getByteBuffer().get(bytes);
                body.writeBytes(bytes);
            }
            chunk.release();
            if (!fits) {
                tooLarge();
                return;
            }
            if (last) {
                complete(body.toByteArray());
                return;
            }
        }
    }
}

package io.cordwood.http;

/** A kind of senders of requests, with the largest body that it may send. */
public enum Sender {
    /** Not known yet: the body itself has the credentials. */
    UNKNOWN(16 << 10),
    /** A person. Parsed, a body takes many times its size of the memory that all share. */
    PERSON(4 << 20),
    /** A service, or an operator. */
    SERVICE(64 << 20);

    private final int maxBodyBytes;

    Sender(int maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The largest body of any request of such a sender, in bytes. */
    public int maxBodyBytes() {
        return maxBodyBytes;
    }
}

package dev.millrace.bench.streams;

import dev.millrace.bench.measure.Meter;
import dev.millrace.bench.measure.TimeSamples;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * The program that reads the streams. It is given a port, a header and a file of job ids; says
 * {@code open N} when N streams have sent their first event; and on any line of input says how long
 * events took, and ends.
 */
public final class Readers {

  private static final int AT_ONCE = 100;

  /** How a message says when it was sent, in microseconds since 1970. */
  public static final String MARK = "sent at ";

  private static final int DIGITS = 16;

  private final Selector selector = Selector.open();
  private final ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
  private final Meter meter = new Meter();
  private final int port;
  private final String authorization;
  private final Deque<String> waiting;
  private final int wanted;
  private int connecting;
  private int open;
  private int broken;

  private Readers(int port, String authorization, Deque<String> jobs) throws IOException {
    this.port = port;
    this.authorization = authorization;
    this.waiting = jobs;
    this.wanted = jobs.size();
    meter.on();
  }

  /** One stream, and the end of what it sent that was not read to its end. */
  private static final class Stream {
    private final String job;
    private boolean heard;
    private String rest = "";

    Stream(String job) {
      this.job = job;
    }
  }

  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Deque<String> jobs = new ArrayDeque<>();
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      jobs.add(line);
    }
    new Readers(Integer.parseInt(args[0]), args[1], jobs).read(in);
  }

  private void read(BufferedReader in) throws IOException {
    boolean told = false;
    while (true) {
      while (connecting < AT_ONCE && !waiting.isEmpty()) {
        connect(waiting.remove());
      }
      selector.select(this::handle, 50);
      if (!told && open + broken >= wanted) {
        told = true;
        System.out.println("open " + open);
      }
      if (told && in.ready()) {
        TimeSamples times = meter.times("event");
        System.out.printf(
            Locale.ROOT, "%d %f %f %d%n", times.count(), times.p50(), times.p99(), broken);
        return;
      }
    }
  }

  private void connect(String job) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.register(selector, SelectionKey.OP_CONNECT, new Stream(job));
    connecting++;
  }

  private void handle(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    Stream stream = (Stream) key.attachment();
    try {
      if (key.isConnectable()) {
        channel.finishConnect();
        channel.write(request(stream.job));
        key.interestOps(SelectionKey.OP_READ);
      } else {
        buffer.clear();
        if (channel.read(buffer) < 0) {
          throw new IOException("the stream ended");
        }
        hear(stream, new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8));
      }
    } catch (IOException _) {
      key.cancel();
      broken++;
      connecting -= stream.heard ? 0 : 1;
      open -= stream.heard ? 1 : 0;
    }
  }

  private ByteBuffer request(String job) {
    String text =
        "GET /api/jobs/"
            + job
            + "/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
            + authorization
            + "\r\n\r\n";
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void hear(Stream stream, String text) throws IOException {
    if (!stream.heard) {
      if (text.startsWith("HTTP/1.1 ") && !text.startsWith("HTTP/1.1 200")) {
        throw new IOException("refused");
      }
      if (text.contains("data:")) {
        stream.heard = true;
        connecting--;
        open++;
      }
    }
    String all = stream.rest + text;
    int from = 0;
    for (int at = all.indexOf(MARK); at >= 0; at = all.indexOf(MARK, from)) {
      int start = at + MARK.length();
      if (all.length() < start + DIGITS) {
        stream.rest = all.substring(at);
        return;
      }
      long sent = Long.parseLong(all.substring(start, start + DIGITS));
      long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
      meter.took("event", (now - sent) * 1_000);
      from = start + DIGITS;
    }
    stream.rest = "";
  }
}

package dev.millrace.testkit.net;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** As much of RFC 6455 as a double needs: text frames out, text frames in, ping and close. */
public final class Sockets {

  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;

  private Sockets() {}

  /** What happens on a socket. */
  public interface Handler {
    void opened(Peer peer) throws IOException;

    void text(Peer peer, String text) throws IOException;

    void closed(Peer peer);
  }

  /** The other end of a socket. */
  public static final class Peer {
    private final OutputStream out;

    private Peer(OutputStream out) {
      this.out = out;
    }

    public void send(String text) throws IOException {
      frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    public void sendBinary(byte[] bytes) throws IOException {
      frame(BINARY, bytes);
    }

    private synchronized void frame(int opcode, byte[] payload) throws IOException {
      out.write(0x80 | opcode);
      if (payload.length < 126) {
        out.write(payload.length);
      } else if (payload.length < 65536) {
        out.write(126);
        out.write(ByteBuffer.allocate(2).putShort((short) payload.length).array());
      } else {
        out.write(127);
        out.write(ByteBuffer.allocate(8).putLong(payload.length).array());
      }
      out.write(payload);
      out.flush();
    }
  }

  static void serve(Request request, InputStream in, OutputStream out, Handler handler)
      throws IOException {
    String key = request.header("Sec-WebSocket-Key").orElse("");
    String head =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + accept(key)
            + "\r\n\r\n";
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
    Peer peer = new Peer(out);
    try {
      handler.opened(peer);
      read(new DataInputStream(in), peer, handler);
    } finally {
      handler.closed(peer);
    }
  }

  private static void read(DataInputStream in, Peer peer, Handler handler) throws IOException {
    while (true) {
      int opcode = in.readUnsignedByte() & 0x0f;
      int second = in.readUnsignedByte();
      long length = second & 0x7f;
      if (length == 126) {
        length = in.readUnsignedShort();
      } else if (length == 127) {
        length = in.readLong();
      }
      byte[] mask = (second & 0x80) == 0 ? new byte[4] : in.readNBytes(4);
      byte[] payload = in.readNBytes((int) length);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= mask[i % 4];
      }
      if (opcode == CLOSE) {
        peer.frame(CLOSE, payload);
        return;
      } else if (opcode == PING) {
        peer.frame(10, payload);
      } else if (opcode == TEXT) {
        handler.text(peer, new String(payload, StandardCharsets.UTF_8));
      }
    }
  }

  private static String accept(String key) {
    try {
      byte[] text = (key + MAGIC).getBytes(StandardCharsets.ISO_8859_1);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

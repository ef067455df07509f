package dev.millrace.testkit.comfy;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Sockets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sockets of the double's clients. Whoever comes late gets no replay. */
final class Listeners {

  private final Map<String, List<Sockets.Peer>> clients = new HashMap<>();

  synchronized void clear() {
    clients.clear();
  }

  /** A socket of a client, which is told how long the queue is as soon as it opens. */
  Sockets.Handler open(FakeComfyUi comfy, String clientId) {
    return new Sockets.Handler() {
      @Override
      public void opened(Sockets.Peer peer) {
        Map<String, Object> data =
            new LinkedHashMap<>(
                Map.of("status", Map.of("exec_info", Map.of("queue_remaining", comfy.waiting()))));
        data.put("sid", clientId);
        add(clientId, peer, data);
      }

      @Override
      public void text(Sockets.Peer peer, String text) {}

      @Override
      public void closed(Sockets.Peer peer) {
        remove(clientId, peer);
      }
    };
  }

  /** In one step: nothing is told before the status, and nothing is missed after it. */
  private synchronized void add(String clientId, Sockets.Peer peer, Map<String, Object> status) {
    send(List.of(peer), "status", status);
    clients.computeIfAbsent(clientId, _ -> new ArrayList<>()).add(peer);
  }

  private synchronized void remove(String clientId, Sockets.Peer peer) {
    clients.getOrDefault(clientId, new ArrayList<>()).remove(peer);
  }

  /** To this client and no other. */
  void tell(String clientId, String type, Map<String, Object> data) {
    List<Sockets.Peer> peers;
    synchronized (this) {
      peers = List.copyOf(clients.getOrDefault(clientId, List.of()));
    }
    send(peers, type, data);
  }

  private static void send(List<Sockets.Peer> peers, String type, Map<String, Object> data) {
    String text = Reply.JSON.writeValueAsString(Map.of("type", type, "data", data));
    for (Sockets.Peer peer : peers) {
      try {
        peer.send(text);
      } catch (IOException _) {
        // It has gone, and will be removed when its thread notices.
      }
    }
  }
}

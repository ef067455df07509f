package dev.millrace.service.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.service.fleet.FleetSettings.AsgFailure;
import dev.millrace.service.fleet.MachineCheck.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Machines that register, against an Auto Scaling API that answers as the real one does. */
@Timeout(60)
class AsgCheckTest {

  private static final String KNOWN = "i-27cde9bade78d9037";
  private static final String MEMBER =
      "<member><InstanceId>"
          + KNOWN
          + "</InstanceId><InstanceType>g5.xlarge</InstanceType><AutoScalingGroupName>asg-face-swap"
          + "</AutoScalingGroupName><AvailabilityZone>us-east-1a</AvailabilityZone><LifecycleState>"
          + "InService</LifecycleState><HealthStatus>Healthy</HealthStatus>"
          + "<ProtectedFromScaleIn>true</ProtectedFromScaleIn></member>";

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer aws;
  private volatile boolean broken;

  @BeforeEach
  void start() throws IOException {
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    aws = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    aws.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(body);
          String members = body.contains(KNOWN) ? MEMBER : "";
          byte[] answer =
              (broken ? "<html>500</html>" : describe(members)).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/xml");
          exchange.sendResponseHeaders(broken ? 500 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    aws.start();
  }

  private static String describe(String members) {
    return """
    <DescribeAutoScalingInstancesResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">\
    <DescribeAutoScalingInstancesResult><AutoScalingInstances>%s</AutoScalingInstances>\
    </DescribeAutoScalingInstancesResult><ResponseMetadata><RequestId>r</RequestId>\
    </ResponseMetadata></DescribeAutoScalingInstancesResponse>\
    """
        .formatted(members);
  }

  @AfterEach
  void stop() {
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    aws.stop(0);
  }

  private AsgCheck check(AsgFailure failure) {
    return new AsgCheck(
        new FleetSettings.Asg(
            failure, "us-east-1", URI.create("http://127.0.0.1:" + aws.getAddress().getPort())));
  }

  @Test
  void a_machine_of_a_group_may_join_and_a_stray_one_may_not() {
    try (AsgCheck check = check(AsgFailure.CLOSED)) {
      assertThat(check.of(KNOWN)).isEqualTo(Answer.WELCOME);
      assertThat(asked.getFirst())
          .contains("Action=DescribeAutoScalingInstances", "InstanceIds.member.1=" + KNOWN);
      assertThat(check.of("i-0dead")).isEqualTo(Answer.IN_NO_GROUP);
    }
  }

  @Test
  void a_worker_that_is_not_named_like_a_machine_is_not_asked_about() {
    try (AsgCheck check = check(AsgFailure.CLOSED)) {
      assertThat(check.of("under-the-desk")).isEqualTo(Answer.WELCOME);
      assertThat(asked).isEmpty();
    }
  }

  @Test
  void without_an_answer_open_lets_in_and_closed_refuses() {
    broken = true;
    try (AsgCheck open = check(AsgFailure.OPEN);
        AsgCheck closed = check(AsgFailure.CLOSED)) {
      assertThat(open.of("i-0dead")).isEqualTo(Answer.WELCOME);
      assertThat(closed.of(KNOWN)).isEqualTo(Answer.UNDECIDED);
    }
  }
}

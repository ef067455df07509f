package dev.millrace.testkit.aws;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.net.SmallServer;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The Auto Scaling API, as far as one instance in one group needs it. */
public final class FakeAutoScaling implements AutoCloseable {

  public static final String GROUP = "asg-face-swap";

  private static final String NAMESPACE = "http://autoscaling.amazonaws.com/doc/2011-01-01/";

  private final SmallServer server = SmallServer.start(this::answer);
  private final String instance;
  private final List<Boolean> protections = new ArrayList<>();
  private int failures;

  public FakeAutoScaling(String instance) {
    this.instance = instance;
  }

  public URI url() {
    return server.url();
  }

  /** What the protection was set to, one after the other. */
  public synchronized List<Boolean> protections() {
    return List.copyOf(protections);
  }

  /** The next calls are answered with an error. */
  public synchronized void fail(int count) {
    failures = count;
  }

  @Override
  public void close() {
    server.close();
  }

  private synchronized Reply answer(Request request) {
    String form = URLDecoder.decode(request.body().text(), StandardCharsets.UTF_8);
    if (failures > 0) {
      failures--;
      return Reply.text(500, "<h1>Internal Server Error</h1>");
    }
    if (form.contains("Action=DescribeAutoScalingInstances")) {
      boolean ours = form.contains("InstanceIds.member.1=" + instance);
      return xml("DescribeAutoScalingInstances", ours ? member() : "<AutoScalingInstances/>");
    }
    if (form.contains("Action=SetInstanceProtection")
        && form.contains("InstanceIds.member.1=" + instance)
        && form.contains("AutoScalingGroupName=" + GROUP)) {
      protections.add(form.contains("ProtectedFromScaleIn=true"));
      return xml("SetInstanceProtection", "");
    }
    return Reply.text(500, "<h1>Internal Server Error</h1>");
  }

  private String member() {
    return ("<AutoScalingInstances><member><InstanceId>%s</InstanceId>"
            + "<InstanceType>g5.xlarge</InstanceType>"
            + "<AutoScalingGroupName>%s</AutoScalingGroupName>"
            + "<AvailabilityZone>us-east-1a</AvailabilityZone>"
            + "<LifecycleState>InService</LifecycleState><HealthStatus>Healthy</HealthStatus>"
            + "<LaunchConfigurationName>lc</LaunchConfigurationName>"
            + "<ProtectedFromScaleIn>false</ProtectedFromScaleIn></member></AutoScalingInstances>")
        .formatted(instance, GROUP);
  }

  private static Reply xml(String action, String result) {
    String text =
        "<%sResponse xmlns=\"%s\"><%sResult>%s</%sResult><ResponseMetadata><RequestId>r</RequestId>"
                .formatted(action, NAMESPACE, action, result, action)
            + "</ResponseMetadata></%sResponse>".formatted(action);
    return Reply.bytes(200, "text/xml", text.getBytes(StandardCharsets.UTF_8));
  }
}

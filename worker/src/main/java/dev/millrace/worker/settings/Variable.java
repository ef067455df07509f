package dev.millrace.worker.settings;

import java.util.Arrays;
import java.util.Optional;

/** Every variable that the worker reads, in the order of the help. */
enum Variable {
  MILLRACE_URL("required", "The server, such as https://mill.example.org."),
  MILLRACE_FLEET_SECRET("required", "The secret with which workers register."),
  WORKFLOWS("required", "The workflows to take jobs of: slugs, with commas between them."),
  WORKER_ID("the EC2 instance id, else the host name", "The name of this worker in the fleet."),
  WORKER_TOKEN("what the registration gave", "The token of this worker, after it was rotated."),
  SLOTS("1", "How many jobs to run at once."),
  WORK_DIR("a folder below the system's temporary one", "Where files of running jobs are kept."),
  DISK_BUDGET_MB("20480", "How much the files of running jobs may take."),
  MAX_OUTPUT_MB("512", "The largest output; the server has a limit of its own."),
  DRAIN_SECONDS("30", "How long running jobs may go on after SIGTERM before they are requeued."),
  LOG_FORMAT("auto", "auto, text or json; auto is text on a terminal."),
  DEFAULT_EXECUTOR("the first that is set up", "Who runs jobs that name no provider."),
  EXECUTORS_DIR("none", "A folder of jars with executors of your own."),
  COMFYUI_URL("none", "A ComfyUI, such as http://127.0.0.1:8188; sets up the executor comfyui."),
  COMFYUI_POLL_MILLIS("1000", "How often a running prompt is looked at."),
  COMFYUI_RETURN_SECONDS("60", "How long ComfyUI may be away while a job runs."),
  COMFYUI_STALL_SECONDS("600", "How long ComfyUI may show no progress before a job goes back."),
  COMFY_CLOUD_API_KEY("none", "Sets up the executor comfy-cloud."),
  COMFY_CLOUD_URL("https://cloud.comfy.org", "Where Comfy Cloud is."),
  COMFY_CLOUD_POLL_MILLIS("2000", "How often a job in the cloud is looked at."),
  COMFY_CLOUD_STALL_SECONDS("3600", "How long a job's status in the cloud may stay the same."),
  COMMAND("none", "A program with its arguments; sets up the executor command."),
  COMMAND_STDERR("discard", "discard or inherit: where the program's standard error goes."),
  COMMAND_KILL_SECONDS("5", "How long a stopped program may take to end by itself."),
  COMMAND_STALL_SECONDS("900", "How long a program may do nothing at all; 0 for any time."),
  SPOT("auto", "auto, on or off: watch for Spot notices; auto looks whether this is EC2."),
  SPOT_POLL_MILLIS("5000", "How often to look for a notice."),
  SPOT_REBALANCE("requeue", "requeue or ignore: what a rebalance recommendation does."),
  SCALE_IN_PROTECTION("off", "on or off: protect this instance from scale-in while it is busy."),
  ASG_NAME("asked of AWS", "The Auto Scaling group of this instance."),
  AWS_REGION("asked of the instance", "The region of that group."),
  AWS_EC2_METADATA_SERVICE_ENDPOINT("http://169.254.169.254", "Where the instance metadata is.");

  private final String otherwise;
  private final String meaning;

  Variable(String otherwise, String meaning) {
    this.otherwise = otherwise;
    this.meaning = meaning;
  }

  boolean required() {
    return otherwise.equals("required");
  }

  String otherwise() {
    return otherwise;
  }

  String meaning() {
    return meaning;
  }

  static Optional<Variable> named(String name) {
    return Arrays.stream(values()).filter(variable -> variable.name().equals(name)).findAny();
  }
}

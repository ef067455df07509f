package dev.millrace.worker.run;

import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.files.DiskBudget;
import dev.millrace.worker.files.WorkFolder;
import dev.millrace.worker.files.WorkerMemory;
import dev.millrace.worker.http.Web;
import dev.millrace.worker.log.WorkerLog;

/** What every run uses. */
public record RunParts(
    ControlPlane server,
    Web web,
    Executors executors,
    WorkFolder folder,
    WorkerMemory memory,
    DiskBudget budget,
    long maxOutputBytes,
    WorkerLog log) {}

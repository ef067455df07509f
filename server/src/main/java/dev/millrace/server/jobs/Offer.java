package dev.millrace.server.jobs;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.server.catalogue.Effect;

/** An effect on offer, with what the engine needs to know about its jobs. */
public record Offer(Effect effect, SubmitJob.Terms terms) {}

package dev.millrace.postgres.outside;

/**
 * What is known of a job's earlier attempts at a provider that answers while it is waited for.
 *
 * @param withoutAnswer how many were meant to be sent and got no answer
 * @param unanswered how many of them may have been sent, and no failure has told of it yet
 */
public record EarlierCalls(int withoutAnswer, int unanswered) {}

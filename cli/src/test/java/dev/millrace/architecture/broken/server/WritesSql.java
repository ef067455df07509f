package dev.millrace.architecture.broken.server;

import java.sql.Connection;

/** SQL outside its home. */
public record WritesSql(Connection connection) {}

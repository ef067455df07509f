package dev.millrace.architecture.broken.web;

import java.sql.Connection;

/** SQL outside its home. */
public record WritesSql(Connection connection) {}

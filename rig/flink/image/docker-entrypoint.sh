#!/bin/bash
# What Flink's pods are started with: a role of Flink, or (native mode) the command itself.
# The configuration is mounted; this file writes none.
set -e
role=$1
case "$role" in
  jobmanager | standalone-job | taskmanager)
    shift
    exec "$FLINK_HOME/bin/$role.sh" start-foreground "$@"
    ;;
esac
exec "$@"

/** A Java exception, as far as REST shows one. */
export interface Throwable {
  readonly type: string;
  readonly message: string;
  /** The topmost frame, `class.method(File.java:line)`. */
  readonly at: string;
  readonly cause?: Throwable;
}

export function stackTrace({ type, message, at, cause }: Throwable): string {
  return `${type}: ${message}\n\tat ${at}\n${cause ? `Caused by: ${stackTrace(cause)}` : ''}`;
}

/** A failure inside an answer that is itself no error. The serialised form is opaque to everybody but Java. */
export function failureCause(throwable: Throwable): Readonly<Record<string, string>> {
  const trace = stackTrace(throwable);
  return {
    class: throwable.type,
    'stack-trace': trace,
    'serialized-throwable': Buffer.from(trace).toString('base64'),
  };
}

const future = 'java.util.concurrent.CompletableFuture';

/** As the outcome of an asynchronous operation wraps it. */
export function inCompletion(cause: Throwable): Throwable {
  return {
    type: 'java.util.concurrent.CompletionException',
    message: `${cause.type}: ${cause.message}`,
    at: `java.base/${future}.encodeRelay(CompletableFuture.java:368)`,
    cause,
  };
}

export function jobNotFound(jobId: string): Throwable {
  return {
    type: 'org.apache.flink.runtime.messages.FlinkJobNotFoundException',
    message: `Could not find Flink job (${jobId})`,
    at: 'org.apache.flink.runtime.dispatcher.Dispatcher.getJobMasterGateway(Dispatcher.java:1498)',
  };
}

export function tasksNotRunning(jobId: string): Throwable {
  return {
    type: 'org.apache.flink.runtime.checkpoint.CheckpointException',
    message: `Checkpoint triggering task Source: counter-source (1/1) of job ${jobId} is not being executed at the moment. Aborting checkpoint. Failure reason: Not all required tasks are currently running.`,
    at: 'org.apache.flink.runtime.checkpoint.DefaultCheckpointPlanCalculator.checkTasksStarted(DefaultCheckpointPlanCalculator.java:143)',
  };
}

export function checkpointFailed(message: string, cause?: Throwable): Throwable {
  return {
    type: 'org.apache.flink.runtime.checkpoint.CheckpointException',
    message,
    at: 'org.apache.flink.runtime.checkpoint.PendingCheckpoint.abort(PendingCheckpoint.java:554)',
    ...(cause && { cause }),
  };
}

export function directoryRefused(path: string): Throwable {
  return {
    type: 'java.io.IOException',
    message: `Failed to create savepoint directory at ${path}`,
    at: 'org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess.initializeLocationForSavepoint(AbstractFsCheckpointStorageAccess.java:191)',
  };
}

export function stateMissing(path: string, scheme: string): Throwable {
  return {
    type: 'java.io.FileNotFoundException',
    message: `Cannot find checkpoint or savepoint file/directory '${path}' on file system '${scheme}'.`,
    at: 'org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(AbstractFsCheckpointStorageAccess.java:275)',
  };
}

export function stateUnclaimed(path: string, operator: string): Throwable {
  return {
    type: 'java.lang.IllegalStateException',
    message: `Failed to rollback to checkpoint/savepoint ${path}. Cannot map checkpoint/savepoint state for operator ${operator} to the new program, because the operator is not available in the new program. If you want to allow to skip this, you can set the --allowNonRestoredState option on the CLI.`,
    at: 'org.apache.flink.runtime.checkpoint.Checkpoints.throwNonRestoredStateException(Checkpoints.java:264)',
  };
}

export function jobMasterNotStarted(cause: Throwable): Throwable {
  return {
    type: 'org.apache.flink.runtime.client.JobInitializationException',
    message: 'Could not start the JobMaster.',
    at: 'org.apache.flink.runtime.jobmaster.DefaultJobMasterServiceProcess.lambda$new$0(DefaultJobMasterServiceProcess.java:97)',
    cause,
  };
}

export function recoverySuppressed(strategy: string, cause: Throwable): Throwable {
  return {
    type: 'org.apache.flink.runtime.JobException',
    message: `Recovery is suppressed by ${strategy}`,
    at: 'org.apache.flink.runtime.executiongraph.failover.ExecutionFailureHandler.handleFailure(ExecutionFailureHandler.java:219)',
    cause,
  };
}

export function induced(message: string): Throwable {
  return {
    type: 'java.lang.RuntimeException',
    message,
    at: 'rig.CountJob$Count.processElement(CountJob.java:52)',
  };
}

export function taskManagerLost(podName: string, address: string): Throwable {
  return {
    type: 'org.apache.flink.runtime.io.network.netty.exception.RemoteTransportException',
    message: `Connection unexpectedly closed by remote task manager '${address} [ ${podName} ] '. This might indicate that the remote task manager was lost.`,
    at: 'org.apache.flink.runtime.io.network.netty.CreditBasedPartitionRequestClientHandler.channelInactive(CreditBasedPartitionRequestClientHandler.java:134)',
  };
}

export function noSlots(): Throwable {
  return {
    type: 'org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException',
    message: 'Could not acquire the minimum required resources.',
    at: 'org.apache.flink.runtime.jobmaster.slotpool.DefaultDeclarativeSlotPool.newNoResourceAvailable(DefaultDeclarativeSlotPool.java:351)',
  };
}

export function tooManyFailedCheckpoints(): Throwable {
  return {
    type: 'org.apache.flink.util.FlinkRuntimeException',
    message:
      'Exceeded checkpoint tolerable failure threshold. The latest checkpoint failed due to Asynchronous task checkpoint failed., view the Checkpoint History tab or the Job Manager log to find out why continuous checkpoints failed.',
    at: 'org.apache.flink.runtime.checkpoint.CheckpointFailureManager.checkFailureAgainstCounter(CheckpointFailureManager.java:212)',
  };
}

export const noSavepointDirectory: Throwable = {
  type: 'java.lang.IllegalStateException',
  message:
    "No savepoint directory configured. You can either specify a directory while cancelling via -s :targetDirectory or configure a cluster-wide default via key 'execution.checkpointing.savepoint-dir'.",
  at: 'org.apache.flink.runtime.scheduler.SchedulerBase.stopWithSavepoint(SchedulerBase.java:1070)',
};

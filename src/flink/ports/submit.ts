import { PortError } from '../../control/port.ts';
import type { Json } from '../../kube/object.ts';
import type { FlinkCalls } from '../calls.ts';
import { nothing, ranJar, uploadedJar } from './answers/jars.ts';
import { jobsOverview } from './answers/jobs-overview.ts';
import { emptyJar } from './empty-jar.ts';
import { type FetchOptions, fetchArtifact } from './fetch-artifact.ts';

import { jarForm } from './jar-form.ts';
import { errorFrom, must, type Send } from './send.ts';

/** How long Flink may take to answer, in milliseconds. */
export interface Timeouts {
  /** `kubernetes.operator.flink.client.timeout` */
  readonly request: number;
  /** `kubernetes.operator.flink.client.cancel.timeout` */
  readonly cancel: number;
  /** `kubernetes.operator.job.submission.timeout` */
  readonly submission: number;
}

/** How Flink says that it has a job of this id: as a job, or since Flink 2.3 as an application. */
const duplicates = ['DuplicateJobSubmissionException', 'DuplicateApplicationSubmissionException'];

/**
 * Submits a session job: fetches its jar, uploads it, runs it as job `jobId`, and deletes the uploaded jar whatever
 * happens, unless it is revoked: then no further step is begun, and the jar stays. A job of that id that exists already, whatever
 * became of it, is the very one that was submitted.
 */
export async function submit(
  { cluster, jobId, jarUri, run, artifacts }: FlinkCalls['submit'],
  id: string,
  options: FetchOptions & { readonly send: Send; readonly timeouts: Timeouts; readonly revoked: AbortSignal },
): Promise<Json> {
  const { send, timeouts, revoked } = options;
  const jobs = must(await send(cluster, { method: 'GET', path: '/jobs/overview' }, jobsOverview));
  if (jobs.some((job) => job.id === jobId)) return { jobId, submitted: false };

  const artifact =
    jarUri === undefined
      ? emptyJar()
      : await fetchArtifact(jarUri, artifacts, timeouts.submission, { ...options, signal: revoked });
  let jar: string;
  try {
    const { headers, body } = jarForm(artifact, id);
    const upload = { method: 'POST', path: '/jars/upload', headers, body, timeoutMs: timeouts.submission } as const;
    jar = must(await send(cluster, upload, uploadedJar));
  } finally {
    await artifact.discard();
  }

  const path = `/jars/${encodeURIComponent(jar)}`;
  try {
    const body = JSON.stringify({ ...run, jobId });
    const request = { method: 'POST', path: `${path}/run`, body, timeoutMs: timeouts.submission } as const;
    const answer = await send(cluster, request, ranJar);
    if (!answer.ok && duplicates.some((name) => answer.failure.said.includes(name))) return { jobId, submitted: false };
    if (!answer.ok) throw errorFrom(answer.failure);
    if (answer.value !== jobId) {
      throw new PortError(
        'refused',
        `Flink runs the job as ${answer.value}, although it was asked to run it as ${jobId}`,
      );
    }
    return { jobId, submitted: true };
  } finally {
    // A jar that stays is only a file too many on the JobManager.
    await send(cluster, { method: 'DELETE', path }, nothing);
  }
}

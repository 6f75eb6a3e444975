import type { Instant } from '../../../../clock/clock.ts';
import { jobGraph } from '../job-graph.ts';
import type { Throwable } from '../throwable.ts';
import { type Call, idIn, objectOf, ok, type Reply, type Route, textIn } from './call.ts';
import { badBody, handlerError } from './rest-error.ts';

interface Jar {
  readonly id: string;
  readonly name: string;
  readonly uploaded: Instant;
}

const folder = '/tmp/flink-web-upload';
const client = 'org.apache.flink.client';

/** Jars and the jobs that are run from them. They lie in the JobManager's own folder and are gone with it. */
export function jarRoutes(): readonly Route[] {
  const jars = new Map<string, Jar>();
  return [
    {
      method: 'GET',
      pattern: '/jars',
      handle: ({ manager }) =>
        ok({
          address: `http://${manager.address}:${manager.restPort}`,
          files: [...jars.values()].map(({ id, name, uploaded }) => ({
            id,
            name,
            uploaded,
            entry: [{ name: 'rig.CountJob', description: null }],
          })),
        }),
    },
    {
      method: 'POST',
      pattern: '/jars/upload',
      handle: ({ manager: { here }, body, headers }) => {
        const name = uploadedName(body, headers['content-type'] ?? '');
        if (name === undefined) {
          throw handlerError(
            400,
            'Exactly 1 file must be sent, received 0.',
            'JarUploadHandler.handleRequest(JarUploadHandler.java:74)',
          );
        }
        if (!name.endsWith('.jar')) {
          throw handlerError(
            400,
            'Only Jar files are allowed.',
            'JarUploadHandler.lambda$handleRequest$0(JarUploadHandler.java:89)',
          );
        }
        const id = `${here.random.uuid()}_${name}`;
        jars.set(id, { id, name, uploaded: here.clock.now() });
        return ok({ filename: `${folder}/${id}`, status: 'success' });
      },
    },
    {
      method: 'DELETE',
      pattern: '/jars/:jar',
      handle: ({ parameters: { jar = '' } }) => {
        if (!jars.delete(jar)) {
          throw handlerError(
            400,
            `File ${jar} does not exist in ${folder}.`,
            'JarDeleteHandler.lambda$handleRequest$0(JarDeleteHandler.java:75)',
          );
        }
        return ok({});
      },
    },
    { method: 'POST', pattern: '/jars/:jar/run', handle: (call) => run(call, jars) },
  ];
}

async function run(call: Call, jars: ReadonlyMap<string, Jar>): Promise<Reply> {
  const { manager, parameters } = call;
  const type = 'JarRunRequestBody';
  const body = objectOf(call, type);
  const jar = jars.get(parameters.jar ?? '');
  if (!jar) {
    throw handlerError(
      400,
      `Jar file ${folder}/${parameters.jar} does not exist`,
      'utils.JarHandlerUtils$JarHandlerContext.toPackagedProgram(JarHandlerUtils.java:179)',
    );
  }
  const id = idIn(body, 'jobId', type) ?? manager.here.random.uuid().replaceAll('-', '');
  const words = body.programArgsList;
  if (
    words !== undefined &&
    words !== null &&
    !(Array.isArray(words) && words.every((one) => typeof one === 'string'))
  ) {
    throw badBody(type, 'Cannot deserialize value of type `java.util.ArrayList<java.lang.String>`');
  }
  const programArguments =
    (words as readonly string[] | undefined | null) ?? textIn(body, 'programArgs')?.split(/\s+/) ?? [];
  const own = Object.entries((body.flinkConfiguration ?? {}) as Record<string, unknown>);
  const configuration = manager.configuration.with(Object.fromEntries(own.map(([key, value]) => [key, String(value)])));
  const claim = textIn(body, 'claimMode', 'restoreMode');
  const savepoint = textIn(body, 'savepointPath');
  const graph = jobGraph(claim ? configuration.with({ 'execution.savepoint-restore-mode': claim }) : configuration, {
    id,
    programArguments,
    ...(typeof body.parallelism === 'number' && { parallelism: body.parallelism }),
    ...(savepoint !== undefined && { savepoint }),
    ...(typeof body.allowNonRestoredState === 'boolean' && { allowNonRestoredState: body.allowNonRestoredState }),
  });
  const isOld = manager.version.startsWith('1.');
  if (manager.jobs.has(id) || manager.results.has(id)) throw notExecuted(graph.name, duplicate(isOld));
  const job = await manager.submit(graph);
  await job.initialized;
  const [failure] = job.failures;
  if (job.status === 'FAILED' && failure) throw notExecuted(graph.name, failure.throwable);
  return ok({ jobid: id, ...(!isOld && { applicationId: id }) });
}

function duplicate(isOld: boolean): Throwable {
  return isOld
    ? {
        type: 'org.apache.flink.runtime.client.DuplicateJobSubmissionException',
        message: 'Job has already been submitted.',
        at: 'org.apache.flink.runtime.client.DuplicateJobSubmissionException.of(DuplicateJobSubmissionException.java:31)',
      }
    : {
        type: 'org.apache.flink.runtime.client.DuplicateApplicationSubmissionException',
        message: 'Application has already been submitted.',
        at: 'org.apache.flink.runtime.dispatcher.Dispatcher.lambda$submitApplication$9(Dispatcher.java:952)',
      };
}

function notExecuted(name: string, cause: Throwable): ReturnType<typeof handlerError> {
  const message = 'Could not execute application.';
  return handlerError(400, message, 'JarRunHandler.lambda$handleRequest$1(JarRunHandler.java:114)', {
    type: 'org.apache.flink.util.FlinkRuntimeException',
    message,
    at: `${client}.deployment.application.DetachedApplicationRunner.tryExecuteJobs(DetachedApplicationRunner.java:88)`,
    cause: {
      type: `${client}.program.ProgramInvocationException`,
      message: `The main method caused an error: Failed to execute job '${name}'.`,
      at: `${client}.program.PackagedProgram.callMainMethod(PackagedProgram.java:373)`,
      cause,
    },
  });
}

/** The name of the file in a multipart body; undefined when there is none. */
function uploadedName(body: Uint8Array, contentType: string): string | undefined {
  if (!/^multipart\/form-data/i.test(contentType)) return undefined;
  const head = Buffer.from(body.subarray(0, 4096)).toString('latin1');
  return /filename="([^"]*)"/i.exec(head)?.[1]?.split('/').at(-1) || undefined;
}

import { parseDuration } from '../config/duration.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { operatorOptions } from '../config/operator-options.ts';
import type { AnyOption } from '../config/option.ts';
import { parseQuartz } from '../decide/snapshots/quartz.ts';
import { lastStateOnly } from '../manifests/deploy-config.ts';
import { missingJar } from '../manifests/job-jar.ts';
import { type Rule, shown } from './rule.ts';
import { fieldOfKey, settingOf, shownSetting } from './setting.ts';
import type { DeploymentSubject, JobSubject } from './subject.ts';
import { schemeOf, shownUri, uriFault } from './uri.ts';

const { checkpointsDirectory, savepointsDirectory } = flinkOptions;
const { periodicSavepoints, periodicCheckpoints, maxCheckpointAge } = operatorOptions;
const writeSavepointDirectory = `Write "${savepointsDirectory.key}: s3://…" (before Flink 1.20: state.savepoints.dir) in spec.flinkConfiguration`;

/** What a job needs of the configuration in force. */
export const jobStateRules: readonly Rule<JobSubject>[] = [
  {
    rule: 'checkpoint-directory',
    field: 'spec.job.upgradeMode',
    says: 'The upgrade modes last-state and savepoint need a directory for checkpoints.',
    check: ({ job, config }) =>
      (job?.upgradeMode ?? 'stateless') === 'stateless' || settingOf(config, checkpointsDirectory)
        ? undefined
        : `Checkpoint directory[execution.checkpointing.dir] must be defined for last-state and savepoint upgrade modes: spec.job.upgradeMode is ${job?.upgradeMode}. Write "execution.checkpointing.dir: s3://…" (before Flink 1.20: state.checkpoints.dir) in spec.flinkConfiguration, or upgradeMode "stateless".`,
  },
  needsSavepointDirectory({
    rule: 'savepoint-upgrade-directory',
    field: 'spec.job.upgradeMode',
    says: 'The upgrade mode savepoint needs a directory for savepoints.',
    check: ({ job }) =>
      job?.upgradeMode === 'savepoint'
        ? `Job could not be upgraded with savepoint while config key[${savepointsDirectory.key}] is not set: spec.job.upgradeMode is savepoint. ${writeSavepointDirectory}, or another upgradeMode.`
        : undefined,
  }),
  needsSavepointDirectory({
    rule: 'savepoint-trigger-directory',
    field: 'spec.job.savepointTriggerNonce',
    says: 'A savepointTriggerNonce needs a directory for savepoints.',
    check: ({ job }) =>
      job?.savepointTriggerNonce === undefined
        ? undefined
        : `Savepoint could not be manually triggered for the running job while config key[${savepointsDirectory.key}] is not set: spec.job.savepointTriggerNonce is ${job.savepointTriggerNonce}. ${writeSavepointDirectory}, or remove the nonce and create a FlinkStateSnapshot with a path.`,
  }),
  needsSavepointDirectory({
    rule: 'periodic-savepoint-directory',
    field: fieldOfKey(periodicSavepoints.key),
    says: 'Periodic savepoints need a directory for savepoints.',
    check({ config }) {
      const interval = settingOf(config, periodicSavepoints);
      return (
        interval &&
        `Periodic savepoints cannot be enabled when config key[${savepointsDirectory.key}] is not set: ${shownSetting(interval)}. ${writeSavepointDirectory}, or remove the interval.`
      );
    },
  }),
  needsSavepointDirectory({
    rule: 'checkpoint-age-directory',
    field: fieldOfKey(maxCheckpointAge.key),
    says: 'A maximum age of checkpoints needs a directory for savepoints: when they are older, a savepoint is taken.',
    check({ config }) {
      const age = settingOf(config, maxCheckpointAge);
      return (
        age &&
        `In order to use max-checkpoint age functionality config key[${savepointsDirectory.key}] must be set to allow triggering savepoint upgrades: ${shownSetting(age)}. ${writeSavepointDirectory}, or remove the age.`
      );
    },
  }),
];

export const parallelismRules: readonly Rule<JobSubject>[] = [
  {
    rule: 'task-manager-replicas',
    field: 'spec.taskManager.replicas',
    says: 'There is at least one TaskManager, where their number is given.',
    check: ({ job, replicas }) =>
      replicas === undefined || replicas > 0
        ? undefined
        : `TaskManager replicas must be larger than 0: spec.taskManager.replicas is ${replicas}. Write 1 or more, or leave it out${job ? ' and let spec.job.parallelism decide; spec.job.state "suspended" stops the job' : ''}.`,
  },
  {
    rule: 'job-parallelism',
    field: 'spec.job.parallelism',
    says: 'The parallelism of a job is at least 1, unless the number of TaskManagers decides it.',
    check: ({ job, replicas }) =>
      !job || replicas !== undefined || (job.parallelism ?? 0) > 0
        ? undefined
        : `Job parallelism must be larger than 0: spec.job.parallelism is ${shown(job.parallelism)}. Write 1 or more; spec.job.state "suspended" stops the job.`,
  },
];

/** When snapshots are taken without being asked for. */
export const scheduleRules: readonly Rule<JobSubject>[] = [periodicSavepoints, periodicCheckpoints].map(
  (option: AnyOption) => ({
    rule: option === periodicSavepoints ? 'periodic-savepoints' : 'periodic-checkpoints',
    field: fieldOfKey(option.key),
    says: 'An interval is a duration, or a cron expression in the notation of Quartz.',
    check({ written }) {
      const interval = settingOf(written, option);
      if (!interval || parseDuration(interval.text) !== undefined) return undefined;
      const cron = parseQuartz(interval.text);
      return 'problem' in cron
        ? `${shownSetting(interval)}, which is neither a duration nor a cron expression: ${cron.problem}. Write for example "1 h", or "0 0 * * * ?" for every full hour, in spec.flinkConfiguration.`
        : undefined;
    },
  }),
);

/** Where the first deployment, and each savepoint redeploy, takes its state from. */
export const pathRules: readonly Rule<JobSubject>[] = [
  {
    rule: 'initial-savepoint-path',
    field: 'spec.job.initialSavepointPath',
    says: `The place of the initial state is one that Flink can read: not ${lastStateOnly}, by which operators mark a restore without any.`,
    check({ job }) {
      const path = job?.initialSavepointPath?.trim() ?? '';
      if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) {
        return `spec.job.initialSavepointPath is ${shown(path)}, which has a control character in it: no state lies there, and a redeploy from it would leave the present state behind. Write the path of a savepoint or checkpoint, such as s3://…/savepoint-abc123.`;
      }
      return path === lastStateOnly
        ? `spec.job.initialSavepointPath is ${shown(job?.initialSavepointPath)}, which is no place of any state: operators write it where a job goes on by its HA metadata, and a job that is to begin from it has none and would start empty. Write the path of a savepoint or checkpoint, such as s3://…/savepoint-abc123, or leave it out to start without state.`
        : undefined;
    },
  },
];

/** The jar of an application: it lies in the image or is fetched by the cluster itself. */
export const jarRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'jar-uri',
    field: 'spec.job.jarURI',
    says: 'The place of the jar is a URI.',
    check({ job }) {
      const uri = job?.jarURI?.trim();
      if (!uri) return undefined;
      const bare = schemeOf(uri) === undefined && !uri.startsWith('/') ? 'it has no scheme' : undefined;
      const fault = uriFault(uri) ?? bare;
      return (
        fault &&
        `spec.job.jarURI is ${shown(shownUri(uri))}, which is no URI: ${fault}. Write a jar of the image as local:///opt/flink/usrlib/job.jar.`
      );
    },
  },
  {
    rule: 'jar-in-native-mode',
    field: 'spec.job.jarURI',
    says: 'In native mode Flink takes its job from exactly one jar; Python jobs need none.',
    check({ job, spec, config }) {
      const missing = job && (spec.mode ?? 'native') === 'native' ? missingJar(job, config) : undefined;
      if (!missing) return undefined;
      if (missing === 'several jars') {
        const { key } = flinkOptions.pipelineJars;
        const message = `${shownSetting({ key, text: config.get(key) ?? '' })}: in native mode Flink takes its job from exactly one jar. Write that one in spec.job.jarURI, and put the others into the image, in /opt/flink/lib or /opt/flink/usrlib.`;
        return [{ field: fieldOfKey(key), message }];
      }
      return `spec.job.jarURI is ${shown(job?.jarURI)}: in native mode Flink does not look for ${job?.entryClass ?? 'the job'} on the class path and ends at once. Write the jar, such as local:///opt/flink/usrlib/job.jar, or mode "standalone".`;
    },
  },
];

function needsSavepointDirectory(rule: Rule<JobSubject>): Rule<JobSubject> {
  const { check } = rule;
  return {
    ...rule,
    check: (subject) => (subject.job && !settingOf(subject.config, savepointsDirectory) ? check(subject) : undefined),
  };
}

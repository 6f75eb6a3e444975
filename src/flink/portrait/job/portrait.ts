import type { AnyObject } from '../../../kube/object.ts';
import type { Cause, Portrait, Side, TreeNode } from '../../../portrait/portrait.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { applicationCase, sessionJobCase } from '../../decide/job-case.ts';
import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import { flinkSessionJob } from '../../resources/flink-session-job.ts';
import { deploymentSpecCodec } from '../../resources/recorded-spec.ts';
import { deploymentChange } from '../../resources/spec-change.ts';
import { clusterParts } from '../cluster-parts.ts';
import { clusterNodes } from '../cluster-tree.ts';
import { fieldChanges } from '../field-changes.ts';
import { conditionLines } from '../findings.ts';
import { brief } from '../wording.ts';
import { answersOf } from './answers.ts';
import { deadlinesOf } from './deadlines.ts';
import { factsOf } from './facts.ts';
import { type JobLook, jobLook } from './job-look.ts';
import { machineOf } from './machine.ts';
import { podsOf } from './pods.ts';
import { pastOf, stepsOf } from './steps.ts';
import { summaryOf } from './summary.ts';
import { deploymentViewAround, sessionJobViewAround } from './view-around.ts';

export function portrayJob(object: AnyObject, around: Around, operator: OperatorConfig): Portrait {
  const l = jobLook(object);
  const parts = l.is === 'session job' ? { processes: [], pods: [] } : clusterParts(l.subject.name, around);
  const pods = podsOf(l, parts);
  const summary = summaryOf(l);
  const cause = causeOf(l);
  return {
    ...summary,
    answers: answersOf(l, around.now),
    ...(cause && { cause }),
    sides: [sideOf(l, summary.phase)],
    steps: stepsOf(l),
    deadlines: deadlinesOf(l, caseOf(l, around, operator)),
    machine: machineOf(l),
    tree: {
      kind: l.subject.kind,
      name: l.subject.name,
      phase: summary.phase,
      status: l.lifecycle ?? 'new',
      ...(summary.createdAt !== undefined && { createdAt: summary.createdAt }),
      children: [...clusterNodes(parts, pods), ...jobsIn(l, around)],
    },
    pods,
    facts: factsOf(l, around.now),
    conditions: conditionLines(l.status),
    history: pastOf(l),
  };
}

/** The jobs that were submitted to a session cluster. */
function jobsIn({ is, subject }: JobLook, around: Around): readonly TreeNode[] {
  if (is !== 'session') return [];
  return (around.list(flinkSessionJob.type) ?? [])
    .map(jobLook)
    .filter(({ resource: { spec } }) => 'deploymentName' in spec && spec.deploymentName === subject.name)
    .map((job): TreeNode => {
      const { phase, subject: its, createdAt, headline } = summaryOf(job);
      const created = createdAt === undefined ? {} : { createdAt };
      return {
        kind: its.kind,
        name: its.name,
        phase,
        status: job.job ?? 'new',
        ...created,
        info: headline,
        children: [],
      };
    });
}

/** There is only one, and it is changed where it is. */
function sideOf(l: JobLook, phase: Side['phase']): Side {
  const state = l.is === 'session' ? l.status.jobManagerDeploymentStatus : l.job;
  return {
    name: l.is === 'session' ? 'session cluster' : 'job',
    role: l.serves ? 'serving' : l.transition ? 'next' : 'idle',
    phase,
    state: state ?? 'not there yet',
    facts: [],
  };
}

function caseOf(l: JobLook, around: Around, operator: OperatorConfig) {
  if (l.is === 'session') return undefined;
  const { resource } = l;
  return 'deploymentName' in resource.spec || l.is === 'session job'
    ? sessionJobCase(sessionJobViewAround(resource, around, operator))
    : applicationCase(deploymentViewAround(resource as FlinkDeployment, around, operator));
}

/** Of the change under way; else of the last one. */
function causeOf({ transition, status, resource, is }: JobLook): Cause | undefined {
  const change = transition ?? status.history?.[0];
  if (!change) return undefined;
  const { cause, because, generation, startedAt } = change;
  const text = transition && is !== 'session job' ? status.reconciliationStatus?.lastStableSpec : undefined;
  const before = text === undefined ? undefined : deploymentSpecCodec.read(text);
  const changes = before?.ok ? fieldChanges(deploymentChange(before.spec, resource.spec).changes) : [];
  return { kind: cause, because: brief(because), changes, generation, since: startedAt };
}

import { show } from '../../change/show.ts';
import type { Conditions } from '../../control/conditions.ts';
import { type Action, type Decision, idle, type Reason, refTo } from '../../control/decision.ts';
import { annotations, labels } from '../keys.ts';
import { newTaskWorkload } from '../manifests/task-workload.ts';
import type { CfTaskView } from '../observe/cf-task-view.ts';
import type { CfTaskStatus } from '../resources/cf-task.ts';
import { conclude } from './conclude.ts';
import { createdAt } from './created-at.ts';
import { furnished } from './furnished.ts';
import { refusal, refusedSoFar } from './refusal.ts';
import { endedAt, hasEnded, isTrue, say } from './task/conditions.ts';
import { unresolved } from './unresolved.ts';

/**
 * A task runs once: it gets a number among the tasks of its app, its command is handed over as a TaskWorkload, and what
 * becomes of that is taken over. Whoever cancels it ends it for good. What is over is kept for a while, then goes.
 */
export function decideCfTask(view: CfTaskView): Decision {
  const { resource, app, settings } = view;
  const { metadata, spec, status } = resource;
  if (metadata.deletionTimestamp) return idle('it is being deleted, and what it runs goes with it');
  const furnish = furnished(resource, {
    labels: {
      [labels.guid]: metadata.name,
      [labels.spaceGuid]: metadata.namespace,
      [labels.appGuid]: spec?.appRef?.name,
      [labels.createdAt]: createdAt(resource),
      ...(status?.sequenceId !== undefined && {
        [labels.taskSequenceId]: metadata.labels?.[labels.taskSequenceId] ?? String(status.sequenceId),
      }),
    },
    annotations: { [annotations.creationVersion]: settings.version },
    ...(app && { owner: { object: app } }),
  });
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every task' };
  if (hasEnded(status?.conditions)) return over(view);
  if (spec?.canceled) return canceled(view);
  return view.workload ? followed(view) : handedOver(view);
}

/** What was canceled must not run on; the rest is kept as history. */
function over(view: CfTaskView): Decision {
  const { resource, workload, settings, now } = view;
  const { conditions } = resource.status ?? {};
  if (workload && isTrue(conditions, 'Canceled') && !workload.metadata.deletionTimestamp) {
    return { actions: [{ do: 'delete', of: refTo(workload) }], because: 'it was canceled' };
  }
  const wakeAt = (endedAt(conditions) ?? now) + settings.taskTtlMs;
  if (now >= wakeAt) return { actions: [{ do: 'delete', of: refTo(resource) }], because: 'it ended long ago' };
  return idle('it is over', wakeAt);
}

function canceled(view: CfTaskView): Decision {
  const { workload } = view;
  const effects: Action[] = workload ? [{ do: 'delete', of: refTo(workload) }] : [];
  let conditions = say(view, view.resource.status?.conditions, 'Canceled', 'TaskCanceled');
  conditions = say(view, conditions, 'Failed', 'TaskCanceled');
  return told(view, { ...numbered(view), conditions }, 'it was canceled', effects);
}

/** Takes over what became of the workload. */
function followed(view: CfTaskView): Decision {
  let conditions: Conditions = view.resource.status?.conditions ?? [];
  for (const type of ['Started', 'Succeeded', 'Failed'] as const) {
    const found = view.workload?.status?.conditions?.find((condition) => condition.type === type);
    if (found?.status === 'True') conditions = say(view, conditions, type, found.reason as Reason, found.message);
  }
  const because = hasEnded(conditions) ? 'it has ended' : 'it runs';
  return told(view, { ...numbered(view), conditions: initialized(view, conditions) }, because);
}

/** Hands the command over, when everything is there that it needs. */
function handedOver(view: CfTaskView): Decision {
  const { resource, app, build, env, settings } = view;
  const { status } = resource;
  if (isTrue(status?.conditions, 'Started')) {
    const message = 'What it ran was deleted, so nobody knows what became of it.';
    const conditions = say(view, status?.conditions, 'Failed', 'WorkloadGone', message);
    return told(view, { conditions }, message);
  }
  const { image, imagePullSecrets } = build?.status?.droplet?.registry ?? {};
  if (!app) return lacking(view, 'AppNotFound', unresolved('CFApp', 'spec.appRef.name', resource.spec?.appRef?.name));
  if (!image) return lacking(view, 'DropletNotFound', noDroplet(resource.spec?.dropletRef?.name));
  if (!app.status?.vcapApplicationSecretName || !env) {
    return lacking(view, 'AppNotReady', 'The environment of its app is being prepared.');
  }
  const known = numbered(view);
  const object = newTaskWorkload({
    task: resource,
    appGuid: app.metadata.name ?? '',
    lifecycle: build?.spec.lifecycle.type ?? app.spec.lifecycle.type,
    droplet: { image, ...(imagePullSecrets && { imagePullSecrets }) },
    env,
    memoryMB: known.memoryMB,
    diskQuotaMB: known.diskQuotaMB,
    settings,
  });
  const create: Action = { do: 'create', object };
  const refused = refusal(create, view.outcomes);
  if (refused?.isFinal) {
    const conditions = say(view, status?.conditions, 'Failed', 'WorkloadRefused', refused.why);
    return told(view, { ...known, conditions }, 'what it runs was refused');
  }
  if (refused) return lacking(view, 'WorkloadRefused', refusedSoFar('Its TaskWorkload', refused), [create]);
  const conditions = initialized(view, status?.conditions ?? []);
  return told(view, { ...known, conditions }, 'its command is handed over', [create]);
}

/** Without a droplet of its own it runs that of its app. */
function noDroplet(named: string | undefined): string {
  if (named === undefined) return 'Its app has no droplet that could be run. Push or stage one.';
  return `spec.dropletRef.name: CFBuild ${show(named)} is no staged droplet of its app. The task runs once it is one; else cancel it, and make one with another droplet, or with none to run what the app runs.`;
}

/** What a task is known by from its first day. */
function numbered({ resource, build, lastSequenceId, settings }: CfTaskView) {
  const { spec, status } = resource;
  const droplet = status?.dropletRef?.name ?? build?.metadata.name;
  return {
    sequenceId: status?.sequenceId ?? lastSequenceId + 1,
    memoryMB: status?.memoryMB ?? spec?.memoryMB ?? settings.process.memoryMB,
    diskQuotaMB: status?.diskQuotaMB ?? spec?.diskQuotaMB ?? settings.process.diskQuotaMB,
    ...(droplet !== undefined && { dropletRef: { name: droplet } }),
  };
}

function initialized(view: CfTaskView, conditions: Conditions): Conditions {
  return isTrue(conditions, 'Initialized') ? conditions : say(view, conditions, 'Initialized', 'TaskInitialized');
}

function told(view: CfTaskView, status: CfTaskStatus, because: string, effects: readonly Action[] = []): Decision {
  const { resource, now } = view;
  return conclude(resource, now, {
    status: { ...resource.status, ...status },
    readiness: { ready: true },
    effects,
    because,
  });
}

/** It has its number all the same: whoever made it asks for it. */
function lacking(view: CfTaskView, reason: Reason, message: string, effects: readonly Action[] = []): Decision {
  const { resource, now } = view;
  return conclude(resource, now, {
    status: { ...resource.status, ...numbered(view) },
    readiness: { ready: false, reason, message },
    effects,
    because: message,
  });
}

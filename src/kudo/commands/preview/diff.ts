import { Command } from 'commander';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { harmless, harmlessText } from '../../../portrait/text/harmless.ts';
import type { Shell } from '../../../portrait/text/shell.ts';
import type { Verdict } from '../../decide/admit/view.ts';
import { explain } from '../../graph/explain.ts';
import type { RestartReason } from '../../graph/restart-reason.ts';
import { repeated } from '../options.ts';
import { givenParameters, type ParameterOptions, unknownParameter, withParameters } from '../parameters.ts';
import { inSession } from '../session.ts';
import { admitted, verdictText } from '../verdict.ts';
import { enhanced } from './enhanced.ts';
import { type ObjectDiff, objectDiffs, type Side } from './object-diffs.ts';
import { plannedWork } from './planned.ts';
import { liveSubject, type PreviewSubject, packageAt, subjectOf } from './subject.ts';
import { lookAround, type Surroundings, unseen } from './surroundings.ts';

interface DiffOptions extends ParameterOptions {
  readonly instance?: string;
  readonly namespace?: string;
  readonly plan?: string;
  readonly unset: readonly string[];
  readonly restart: boolean;
}

type Start = Extract<Verdict, { readonly is: 'start' }>;

/** `diff`: what a change would apply, which pods it would restart, and why. Nothing is written. */
export function diffCommand(shell: Shell): Command {
  return withParameters(new Command('diff'))
    .description('show what a change would apply, which pods it would restart, and why; nothing is written')
    .argument('[package]', 'what to upgrade to; without --instance: a package, compared with its own defaults')
    .option('--instance <name>', 'an installed Instance')
    .option('--unset <name>', 'go back to the default of a parameter; may be repeated', repeated, [])
    .option('--plan <name>', 'show what triggering this plan would do')
    .option('--no-restart', 'as the trigger or the upgrade would be with --no-restart')
    .action(
      inSession<DiffOptions>(shell, async (session, options, [path]) => {
        const given = await givenParameters(shell, options);
        const isLive = options.instance !== undefined;
        const subject = isLive ? await liveSubject(session, options.instance) : await subjectOf(session, path, options);
        const upgrade =
          isLive && path !== undefined ? await packageAt(session, path, subject.instance.namespace) : undefined;
        const version = upgrade ?? subject.version;
        const stranger = unknownParameter(version, Object.keys(given));
        if (stranger !== undefined) throw new CommandError(stranger);
        const verdict = verdictOn(subject, { version, given, options });
        if (verdict.is !== 'start') {
          session.say(verdictText(verdict));
          session.answer({ plan: null, objects: [], restarts: [] });
          return;
        }
        const from = { version: subject.version, parameters: subject.parameters };
        const to = { version, parameters: verdict.accepted.parameters };
        const found = await consequences(subject, { from, to, verdict });
        const { plan, cause, changed, forced } = verdict;
        if (session.answer({ plan, cause, changed, forced, ...found })) return;
        shell.write(`${harmless(headline(verdict))}\n`);
        for (const one of found.objects) shell.write(objectText(one));
        for (const { sentence } of found.restarts) session.say(sentence);
        for (const problem of found.problems) session.warn(problem);
      }),
    );
}

/** What the operator would say, were nothing running. */
function verdictOn(
  { live, instance, parameters: now, version: before }: PreviewSubject,
  {
    version,
    given,
    options,
  }: { readonly version: Side['version']; readonly given: Side['parameters']; readonly options: DiffOptions },
): Exclude<Verdict, { readonly is: 'refused' }> {
  const kept = Object.entries(now).filter(([name]) => !options.unset.includes(name));
  const spec = {
    operatorVersion: { name: version.metadata.name ?? '' },
    parameters: { ...Object.fromEntries(kept), ...given },
  };
  const accepted = { operatorVersion: { name: before.metadata.name ?? '' }, parameters: now };
  const { execution: _, ...status } = live?.object.status ?? {};
  const object = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: live?.object.metadata ?? {},
    spec,
    status: { ...status, accepted: status.accepted ?? accepted },
  };
  return admitted({
    instance: object,
    name: { namespace: instance.namespace, name: instance.name },
    spec,
    versions: { before, after: version },
    ...(options.plan !== undefined && { request: { is: 'run', plan: options.plan, override: true } }),
    restart: options.restart,
  });
}

interface Consequences {
  readonly objects: readonly ObjectDiff[];
  readonly restarts: readonly RestartReason[];
  /** What would end the plan, or was repaired. */
  readonly problems: readonly string[];
}

async function consequences(
  subject: PreviewSubject,
  { from, to, verdict }: { readonly from: Side; readonly to: Side; readonly verdict: Start },
): Promise<Consequences> {
  const { instance, key, live } = subject;
  const { plan, forced } = verdict;
  const { items, warnings } = plannedWork({ instance, ...(key && { key }), ...to }, plan);
  const objects = items.map(({ object }) => object);
  const around: Surroundings = live ? await lookAround(live.cluster, instance.namespace, objects) : unseen;
  const there = around.live;
  const restarts = explain(
    { operatorVersion: to.version, instance, ...(key && { key }), ...(there && { live: [...there.values()] }) },
    { from: from.parameters, to: to.parameters, before: from.version, plan, forced },
  );
  const quiet = new Set(
    restarts.filter((one) => !one.restarts).map(({ workload }) => `${workload.kind}/${workload.name}`),
  );
  const problems = [...warnings];
  const more: RestartReason[] = [];
  for (const item of items.filter(({ does }) => does === 'apply')) {
    const { restart, complaint } = enhanced(item, around, forced);
    if (complaint) problems.push(`the plan would fail: ${complaint.message}`);
    const {
      kind,
      metadata: { name = '' },
    } = item.object;
    // Somebody else changed the pod template: setting that right replaces the pods.
    if (!restart || !quiet.has(`${kind}/${name}`)) continue;
    const sentence = `pods of ${name} restart because ${restart.because}`;
    more.push({ workload: { kind, name }, restarts: true, reason: 'template-changed', causes: [], sentence });
  }
  const corrected = new Set(more.map(({ workload }) => `${workload.kind}/${workload.name}`));
  return {
    objects: objectDiffs(subject, { from, to, plan, ...(there && { isThere: (id: string) => there.has(id) }) }),
    restarts: [...restarts.filter(({ workload }) => !corrected.has(`${workload.kind}/${workload.name}`)), ...more],
    problems,
  };
}

function headline({ plan, cause, changed, forced }: Start): string {
  const why = changed.length > 0 ? `${cause}: ${changed.join(', ')}` : cause;
  return `plan ${plan} would run (${why}); ${forced ? 'it demands that pods restart' : 'it demands no restart of pods'}`;
}

function objectText({ kind, name, does, diff }: ObjectDiff): string {
  const words = { create: 'created', change: 'changed', delete: 'deleted' }[does];
  return `${harmless(`${kind} ${name}`)}: ${words}\n${harmlessText(diff)}`;
}

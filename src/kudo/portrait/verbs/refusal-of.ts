import { admit } from '../../decide/admit/admit.ts';
import type { Read } from '../instance-in.ts';
import type { FoundVersion } from '../version-of.ts';

/** Why the operator would not run a plan that somebody asks for; `undefined` when it would, now or later. */
export function refusalOf({ metadata, spec, status }: Read, version: FoundVersion, plan: string): string | undefined {
  const { namespace = 'default', name = '' } = metadata;
  const { accepted } = status;
  if (!accepted) return `nothing of Instance ${name} was ever accepted, so there is nothing that a plan could apply`;
  const { name: called = '' } = accepted.operatorVersion;
  if (version === 'absent') return `the OperatorVersion ${called} is not there: install the package again`;
  if (version === 'odd') return `the OperatorVersion ${called} has not the shape of one: install the package again`;
  if (version === 'unknown') return undefined;
  const verdict = admit({
    name: { namespace, name },
    before: accepted,
    after: { ...spec, ...accepted },
    deleting: false,
    versions: { before: version, after: version },
    request: { is: 'run', plan, override: false },
  });
  return verdict.is === 'refused' ? verdict.message : undefined;
}

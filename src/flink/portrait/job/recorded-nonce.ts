import { deploymentSpecCodec, sessionJobSpecCodec } from '../../resources/recorded-spec.ts';
import type { JobLook } from './job-look.ts';

/** The restartNonce that what is deployed has. */
export function recordedRestartNonce({ is, status }: JobLook): number | undefined {
  const text = status.reconciliationStatus?.lastReconciledSpec;
  if (text === undefined) return undefined;
  const read = (is === 'session job' ? sessionJobSpecCodec : deploymentSpecCodec).read(text);
  return read.ok ? read.spec.restartNonce : undefined;
}

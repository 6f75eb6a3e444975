import { harmless } from '../../../portrait/text/harmless.ts';
import type { Restart } from '../../resources/instance.ts';

/** Whose pods restart, and why. A reason that is a sentence of its own already says whose. */
export function restartText({ kind, name, because }: Restart): string {
  return harmless(because.startsWith('pods of ') ? because : `pods of ${kind} ${name} restart: ${because}`);
}

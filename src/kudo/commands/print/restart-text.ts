import type { Restart } from '../../resources/instance.ts';
import { harmless } from './harmless.ts';

/** Whose pods restart, and why. A reason that is a sentence of its own already says whose. */
export function restartText({ kind, name, because }: Restart): string {
  return harmless(because.startsWith('pods of ') ? because : `pods of ${kind} ${name} restart: ${because}`);
}

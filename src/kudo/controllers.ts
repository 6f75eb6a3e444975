import type { Caches } from '../control/caches.ts';
import type { AnyController } from '../control/operator.ts';
import { instanceController } from './controllers/instance.ts';
import type { KudoControllersOptions } from './controllers/options.ts';

/** The controllers of the family, by name. Operators and OperatorVersions are only read. */
export function kudoControllers(
  options: KudoControllersOptions,
): Readonly<Record<'instance', (caches: Caches) => AnyController>> {
  return { instance: instanceController(options) };
}

import { isObject } from '../../change/equal.ts';
import type { CfApp, CfAppSpec } from '../resources/cf-app.ts';

const bare: CfAppSpec = { displayName: '', desiredState: 'STOPPED', lifecycle: { type: 'docker' } };

/** An older definition may let through what ours refuses. Such an app is taken to be stopped, and to have no name. */
export function wellFormedApp(app: CfApp): CfApp {
  const spec: Partial<CfAppSpec> = isObject(app.spec) ? app.spec : {};
  const whole = typeof spec.displayName === 'string' && spec.desiredState !== undefined && isObject(spec.lifecycle);
  return whole ? app : { ...app, spec: { ...bare, ...spec, lifecycle: spec.lifecycle ?? bare.lifecycle } };
}

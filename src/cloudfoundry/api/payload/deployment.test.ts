import { describe, expect, it } from 'vitest';
import { CfError } from '../cf-error.ts';
import { newDeployment } from './deployment.ts';
import { parsePayload } from './parse-body.ts';

const relationships = { app: { data: { guid: 'app' } } };

function refused(more: object): string | undefined {
  try {
    parsePayload({ relationships, ...more }, newDeployment);
    return undefined;
  } catch (error) {
    return error instanceof CfError ? error.detail : String(error);
  }
}

const canary = (steps: unknown) => ({ strategy: 'canary', options: { canary: { steps } } });

describe('the body of a new deployment', () => {
  it('is a rolling one when it says nothing else', () => {
    expect(parsePayload({ relationships }, newDeployment)).toEqual({ relationships, strategy: 'rolling', options: {} });
  });

  it('takes the nulls that clients send for what they do not set', () => {
    const options = { max_in_flight: null, canary: null, web_instances: 3, log_rate_limit_in_bytes_per_second: null };
    const { strategy, options: kept } = parsePayload({ relationships, strategy: null, options }, newDeployment);
    expect([strategy, kept]).toEqual(['rolling', { web_instances: 3 }]);
  });

  it.each([
    [{ strategy: 'recreate' }, "Strategy 'recreate' is not a supported deployment strategy"],
    [{ droplet: { guid: 'd' }, revision: { guid: 'r' } }, "Cannot set both fields 'droplet' and 'revision'"],
    [{ options: [] }, 'Options must be an object'],
    [{ options: { max_inflight: 1 } }, 'Options has unsupported key(s): max_inflight'],
    [{ options: { max_in_flight: 0 } }, 'Max in flight must be an integer greater than 0'],
    [{ options: { max_in_flight: 1.5 } }, 'Max in flight must be an integer greater than 0'],
    [{ options: { max_in_flight: '2' } }, 'Max in flight must be an integer greater than 0'],
    [{ options: { max_in_flight: 2 ** 31 } }, 'Max in flight must be an integer greater than 0'],
    [{ options: { web_instances: 0 } }, 'Web instances must be an integer greater than 0'],
    [{ options: { web_instances: 5000 } }, undefined],
    [{ options: { web_instances: 5001 } }, 'Web instances must be 5000 or less'],
    [{ options: { web_instances: 2 ** 31 - 1 } }, 'Web instances must be 5000 or less'],
    [{ options: { memory_in_mb: -1 } }, 'Memory in mb must be greater than 0'],
    [{ options: { canary: {} } }, 'Options.canary are only valid for Canary deployments'],
    [{ strategy: 'canary', options: { canary: 7 } }, 'Options.canary must be an object'],
    [canary({}), 'Options.canary.steps must be an array of objects'],
    [canary([{}]), 'Options.canary.steps missing key: "instance_weight"'],
    [canary([{ weight: 1 }]), 'Options.canary.steps has unsupported key(s): weight'],
    [
      canary([{ instance_weight: 0 }]),
      'Options.canary.steps.instance_weight must be an Integer between 1-100 (inclusive)',
    ],
    [
      canary([{ instance_weight: 101 }]),
      'Options.canary.steps.instance_weight must be an Integer between 1-100 (inclusive)',
    ],
    [
      canary([{ instance_weight: 60 }, { instance_weight: 20 }]),
      'Options.canary.steps.instance_weight must be sorted in ascending order',
    ],
    [canary([{ instance_weight: 20 }, { instance_weight: 20 }, { instance_weight: 100 }]), undefined],
  ])('%j', (more, detail) => {
    expect(refused(more)).toBe(detail);
  });
});

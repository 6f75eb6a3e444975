import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/kube/object.ts';
import { rendered, the } from './rendered.ts';

interface Rule {
  readonly ports?: readonly { readonly port?: string }[];
  readonly from?: readonly unknown[];
}

/** The rule of a port in the NetworkPolicy that comes of the values. */
function ruleOf(port: string, values: JsonObject): Rule | undefined {
  const { spec } = the(rendered(values), 'NetworkPolicy');
  const { ingress = [] } = spec as { readonly ingress?: readonly Rule[] };
  return ingress.find(({ ports }) => ports?.some((one) => one.port === port));
}

describe('the NetworkPolicy of the operator', () => {
  const servers = [{ ipBlock: { cidr: '10.0.0.1/32' } }, { ipBlock: { cidr: '10.0.0.2/32' } }];

  it('lets only those ask the webhooks who are named', () => {
    expect(ruleOf('webhooks', {})).toEqual({ ports: [{ port: 'webhooks' }] });
    const named = { networkPolicy: { webhooksFrom: servers } };
    expect(ruleOf('webhooks', named)).toEqual({ ports: [{ port: 'webhooks' }], from: servers });
    expect(ruleOf('health', named)?.from).toBeUndefined();
    expect(ruleOf('webhooks', { networkPolicy: { metricsFrom: servers, doorsFrom: servers } })?.from).toBeUndefined();
  });
});

import type { Strategy } from '../resource.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { each, fields, fill, inside } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import { dns1123Subdomain } from './syntax.ts';

interface Webhook {
  readonly name?: string;
  readonly sideEffects?: string;
  readonly admissionReviewVersions?: readonly string[];
  readonly timeoutSeconds?: number;
  readonly failurePolicy?: string;
  readonly clientConfig?: { readonly url?: string; readonly service?: unknown };
}

/** Who is asked before a write is stored. */
export const webhookConfigurationStrategy = (mutating: boolean): Strategy => ({
  generation: true,
  defaults(draft) {
    for (const webhook of each(draft.webhooks)) {
      fill(webhook, {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        ...(mutating && { reinvocationPolicy: 'Never' }),
      });
      for (const rule of each(webhook.rules)) fill(rule, { scope: '*' });
      const config = inside(webhook, 'clientConfig');
      fill(fields(config?.service), { port: 443 });
    }
  },
  validate(object, before) {
    const webhooks = (object.webhooks ?? []) as readonly Webhook[];
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...webhooks.flatMap((webhook, index) => validateWebhook(`webhooks[${index}]`, webhook)),
    ];
  },
});

const choices: Readonly<Record<string, readonly string[]>> = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  reinvocationPolicy: ['IfNeeded', 'Never'],
};

function validateWebhook(field: string, webhook: Webhook): readonly FieldError[] {
  const wrong: FieldError[] = [];
  const { name = '', sideEffects, admissionReviewVersions = [], timeoutSeconds: limit, clientConfig = {} } = webhook;
  if (!name) wrong.push(requiredValue(`${field}.name`));
  else if (name.split('.').length < 3) {
    const detail = 'should be a domain with at least three segments separated by dots';
    wrong.push(invalidValue(`${field}.name`, name, detail));
  }
  const allowed = ['None', 'NoneOnDryRun'];
  if (sideEffects === undefined)
    wrong.push(requiredValue(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  else if (!allowed.includes(sideEffects)) {
    wrong.push(unsupportedValue(`${field}.sideEffects`, sideEffects, allowed));
  }
  for (const [name, values] of Object.entries(choices)) {
    const value = (webhook as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && !values.includes(String(value))) {
      wrong.push(unsupportedValue(`${field}.${name}`, value, values));
    }
  }
  if (limit !== undefined && (limit < 1 || limit > 30)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    wrong.push(invalidValue(`${field}.timeoutSeconds`, limit, detail));
  }
  if (admissionReviewVersions.length === 0) {
    const detail = 'must specify one of v1, v1beta1';
    wrong.push(requiredValue(`${field}.admissionReviewVersions`, detail));
  } else if (!admissionReviewVersions.some((one) => one === 'v1' || one === 'v1beta1')) {
    const detail = 'must include at least one of v1, v1beta1';
    wrong.push(invalidValue(`${field}.admissionReviewVersions`, admissionReviewVersions, detail));
  }
  if ((clientConfig.url === undefined) === (clientConfig.service === undefined)) {
    wrong.push(requiredValue(`${field}.clientConfig`, 'exactly one of url or service is required'));
  } else if (clientConfig.url !== undefined && !clientConfig.url.startsWith('https://')) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(clientConfig.url)?.[1] ?? '';
    const detail = `'https' is the only allowed URL scheme; desired format: https://host[/path]`;
    wrong.push(invalidValue(`${field}.clientConfig.url`, scheme, detail));
  }
  return wrong;
}

import { refuseEscalation } from '../auth/escalation.ts';
import type { Rbac } from '../auth/rbac.ts';
import type { Admission } from '../gate.ts';
import { applyLimitDefaults, checkLimits } from './limit-ranger.ts';
import { guardNamespace } from './namespace-lifecycle.ts';
import { checkQuota } from './quota.ts';
import { mutateByWebhooks, validateByWebhooks, type WebhookOptions } from './webhooks.ts';

export interface AdmissionOptions extends WebhookOptions {
  readonly rbac: Rbac;
}

/**
 * Admission as a real cluster has it by default: namespaces that are there and stay, limits, webhooks that change,
 * then nobody granting more than they have, limits again, webhooks that refuse, and quotas last, so that only what is
 * otherwise fine is counted.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { cluster, rbac } = options;
  return {
    async mutate(attempt) {
      guardNamespace(cluster, attempt);
      const object = applyLimitDefaults(cluster, attempt);
      return mutateByWebhooks(options, { ...attempt, object });
    },
    async validate(attempt) {
      guardNamespace(cluster, attempt);
      refuseEscalation(rbac, attempt);
      checkLimits(cluster, attempt);
      return { warnings: await validateByWebhooks(options, attempt) };
    },
    settle(attempt) {
      guardNamespace(cluster, attempt);
      checkQuota(cluster, attempt);
    },
  };
}

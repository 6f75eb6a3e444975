import type { Grant } from '../access.ts';

/**
 * Stands in grants for the name of the Service of the webhooks, which is the installer's choice. No object can have a name in
 * capitals, so that one that was not filled in cannot be mistaken.
 */
const service = 'WEBHOOK_SERVICE';
/** Stands for the name of the two webhook configurations. */
const configuration = 'WEBHOOK_CONFIGURATION';

/** What webhooks with certificates of their own need. With certificates from files they need nothing. */
export const webhookAccess: readonly Grant[] = [
  {
    group: '',
    resources: ['secrets'],
    verbs: ['get', 'watch', 'update'],
    names: [`${service}-certificates`],
    where: 'home',
    why: 'keep the certificates of the webhooks, and serve what another replica renewed',
  },
  {
    group: '',
    resources: ['secrets'],
    // What is created has no name yet when the API server asks whether it may be.
    verbs: ['create'],
    where: 'home',
    why: 'make the Secret with the certificates of the webhooks when it is not there',
  },
  {
    group: 'admissionregistration.k8s.io',
    resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
    verbs: ['get', 'watch', 'update'],
    names: [configuration],
    where: 'cluster',
    why: 'keep caBundle in the configurations of the webhooks, also after somebody overwrote it',
  },
];

import * as z from 'zod';
import { ownFields } from './own-fields.ts';

/** How the REST endpoint of a cluster is reached from outside. A change is an upgrade, as in the upstream. */
export const ingressSpec = z
  .object({
    template: z
      .string()
      .optional()
      .describe('Host and path; {{name}} and {{namespace}} are replaced: "{{name}}.{{namespace}}.example.com".'),
    className: z.string().optional().describe('The ingress class.'),
    annotations: z.record(z.string(), z.string()).optional().describe('Annotations of the Ingress.'),
    labels: z.record(z.string(), z.string()).optional().describe('Labels of the Ingress.'),
    tls: z
      .array(
        z.object({
          hosts: z
            .array(z.string())
            .optional()
            .meta({ change: { absentMeans: [] } }),
          secretName: z.string().optional(),
        }),
      )
      .optional()
      .describe('Certificates by host.'),
  })
  .optional()
  .meta({ description: 'An Ingress for the REST endpoint and web interface.', change: ownFields });

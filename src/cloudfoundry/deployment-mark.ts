import * as z from 'zod';
import type { KubeObject } from '../kube/object.ts';
import { annotations } from './keys.ts';

const mark = z.object({
  guid: z.string().min(1).describe('The CFDeployment.'),
  appRev: z.int().min(0),
  previous: z.object({ appRev: z.int().min(0), droplet: z.string().optional() }).optional(),
  stopped: z.object({ droplet: z.string().optional() }).optional(),
  canceled: z.boolean().optional(),
  supersedes: z.array(z.string()).optional(),
});

/**
 * The deployment that an app's present revision belongs to. It stands on the CFApp itself, so that one guarded write
 * decides all: revision, droplet, state and to whom it belongs. A CFDeployment that no mark names has never begun.
 */
export interface DeploymentMark {
  /** The CFDeployment's name. */
  readonly guid: string;
  /** The revision that it made. */
  readonly appRev: number;
  /** Where a cancel returns to: the last revision that was deployed to the end. Absent for an app that did not run. */
  readonly previous?: { readonly appRev: number; readonly droplet?: string };
  /** Instead of `previous`, for an app that did not run: a cancel stops it again, and gives it the droplet that it had. */
  readonly stopped?: { readonly droplet?: string };
  /** It was canceled: `app-rev` and droplet are those of `previous` again, or the app is stopped. */
  readonly canceled?: boolean;
  /** Deployments that were marked before this one took their place; the newest ten. Their records may say that they ended earlier. */
  readonly supersedes?: readonly string[];
}

/** The mark of an app. What cannot be read is none: deployments then count as superseded, and instances stay as they are. */
export function deploymentMark({ metadata }: Pick<KubeObject, 'metadata'>): DeploymentMark | undefined {
  const text = metadata.annotations?.[annotations.deployment];
  if (text === undefined) return undefined;
  try {
    const { success, data } = mark.safeParse(JSON.parse(text));
    return success ? (data as DeploymentMark) : undefined;
  } catch {
    return undefined;
  }
}

/** What the annotation holds. */
export function markText(deployment: DeploymentMark): string {
  return JSON.stringify(deployment);
}

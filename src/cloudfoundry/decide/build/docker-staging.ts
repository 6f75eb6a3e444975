import type { CfBuildView } from '../../observe/cf-build-view.ts';
import type { ImageSource } from '../../resources/image.ts';
import { failed, running, type Staging, staged, waiting } from './staging.ts';

/** For so long, and so often, a registry is asked again that did not answer: a droplet is made once. */
const patienceMs = 3_000;
const againMs = 1_000;

/**
 * The image is the droplet. Its registry says on which ports it listens and as whom it runs; if it cannot be read, that is no
 * failure: the nodes may well be able to.
 */
export function dockerStaging(view: CfBuildView, registry: ImageSource): Staging {
  const { source, image: finding, now } = view;
  if (source?.spec?.type !== 'docker') {
    return failed('The package holds files, and the lifecycle docker runs images. Create a package of type docker.');
  }
  if (!finding) return waiting('ImageNotRead', 'The image has not been looked at yet.');
  if (!finding.read && finding.passing && !hasWaited(view)) {
    const message = `The image could not be inspected yet: ${finding.why}.`;
    return { ...running(message, 'ImageNotRead'), wakeAt: now + againMs };
  }
  const { image, imagePullSecrets } = registry;
  const droplet = { registry: { image, ...(imagePullSecrets && { imagePullSecrets }) }, stack: '' };
  if (!finding.read) return staged(droplet, `The image could not be inspected (${finding.why}): port 8080 is assumed.`);
  const { ports, user } = finding.config;
  if (!isPlainUser(user)) return failed(notAllowed(image, user));
  return staged({ ...droplet, ...(ports.length > 0 && { ports }) });
}

/**
 * Since the registry was first asked in vain: with that it is being staged, whatever it lacked before. A clock that was set back makes
 * nobody wait longer.
 */
function hasWaited({ resource, now }: CfBuildView): boolean {
  const told = resource.status?.conditions?.find(({ type }) => type === 'Staging');
  if (told?.status !== 'True' || told.reason !== 'ImageNotRead') return false;
  return Math.abs(now - Date.parse(told.lastTransitionTime)) >= patienceMs;
}

/** Instances must not run as root, and a node can tell only from a number. */
function isPlainUser(user: string): boolean {
  return /^0*[1-9]\d*(?::|$)/.test(user);
}

function notAllowed(image: string, user: string): string {
  const asks = user === '' ? 'names no user, which means root' : `names the user ${JSON.stringify(user.slice(0, 64))}`;
  return `The image ${image} ${asks}. Apps must not run as root: give the image a user by number, such as USER 1000.`;
}

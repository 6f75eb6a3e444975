import { readObjects } from '../../render/read-objects.ts';
import { renderText } from '../../render/render-objects.ts';
import { goText } from '../go-text.ts';
import { errors, together } from './finding.ts';
import { placeholder } from './rendering.ts';
import type { Subject, Verifier } from './subject.ts';

/** A package makes no namespaces, but for the one that it may bring for itself; that one is a Namespace and nothing else. */
export const verifyNamespaces: Verifier = (subject) => {
  const { namespaceManifest: manifest } = subject.found.operator;
  const others = [...subject.found.templates]
    .filter(([file, text]) => file !== manifest && /kind:\s*Namespace/.test(text))
    .map(([file]) => ({
      message: goText(
        "template %q contains 'kind: Namespace' not allowed unless specified as 'NamespaceManifest'",
        file,
      ),
    }));
  const problem = manifest ? manifestProblem(subject, manifest) : undefined;
  return together([errors(others), errors(problem === undefined ? [] : [{ message: problem }])]);
};

function manifestProblem(subject: Subject, manifest: string): string | undefined {
  const name = goText('NamespaceManifest %q', manifest);
  if (!subject.found.templates.has(manifest)) return `${name} not found in /templates folder`;
  const objects = objectsOf(subject, manifest);
  if (!objects) return `Unable to marshal ${name} `;
  const [first] = objects;
  if (!first) return `${name} found but does not contain a manifest`;
  if (objects.length > 1) return `${name} found but contains ${objects.length} manifests which is greater than 1`;
  return first.kind === 'Namespace' ? undefined : `${name} found but manifest is not kind: Namespace`;
}

function objectsOf(subject: Subject, manifest: string) {
  const rendered = renderText(placeholder(subject), manifest);
  if ('complaint' in rendered) return undefined;
  const read = readObjects(manifest, rendered.text);
  return 'objects' in read ? read.objects : undefined;
}

import type { Task } from '../resources/operator-version.ts';

/** The templates that a task renders; `undefined`: there is no such kind of task. */
export function templatesOfTask({ kind, spec = {} }: Task): readonly string[] | undefined {
  switch (kind) {
    case 'Apply':
    case 'Delete':
    case 'Toggle':
      return spec.resources ?? [];
    case 'Pipe':
      return [spec.pod ?? ''];
    case 'KudoOperator':
      return spec.parameterFile ? [spec.parameterFile] : [];
    case 'Dummy':
      return [];
    default:
      return undefined;
  }
}

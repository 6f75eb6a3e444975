/** A place in a file of a package. Lines and columns begin at 1. */
export interface Position {
  /** As it is called in the package: `params.yaml`, `templates/service.yaml`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** As compilers and editors write it: `params.yaml:12:5`. */
export function positionText({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

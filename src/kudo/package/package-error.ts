import { type Position, positionText } from './position.ts';

/** One thing that is wrong with a package, or dubious about it. */
export interface Complaint {
  readonly message: string;
  readonly at?: Position;
}

/** What a package cannot be read or installed for: all that was found, each with its place where it has one. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
  readonly complaints: readonly Complaint[];

  /** `context` comes before the first complaint: what was being done. */
  constructor(complaints: Complaint | string | readonly Complaint[], context = '') {
    const list: readonly Complaint[] =
      typeof complaints === 'string' ? [{ message: complaints }] : isList(complaints) ? complaints : [complaints];
    super(context + list.map(complaintText).join('\n'));
    this.complaints = list;
  }
}

export function complaintText({ message, at }: Complaint): string {
  return at ? `${positionText(at)}: ${message}` : message;
}

function isList(complaints: Complaint | readonly Complaint[]): complaints is readonly Complaint[] {
  return Array.isArray(complaints);
}

/** What `npm audit --json` prints, as far as it matters here: a report, or why there is none. */
export interface AuditAnswer {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range?: string }>>;
  readonly message?: string;
}

/** What `npm outdated --json` prints: packages that are not the newest, and those that are not installed here. */
export type OutdatedAnswer = Readonly<Record<string, { readonly current?: string; readonly latest?: string }>>;

export interface Judgement {
  readonly lines: readonly string[];
  /** Whether a release must wait for it. */
  readonly bad: boolean;
}

/** Holes as grave as these must not reach users; lesser ones are told. */
const grave: readonly string[] = ['high', 'critical'];

/**
 * Known holes of the packages that reach users, `shipped` by name: those of the dashboard are in its bundle, whatever npm takes them
 * for. A registry that does not answer the question proves nothing, and says so.
 */
export function judgeAudit({ vulnerabilities, message }: AuditAnswer, shipped: ReadonlySet<string>): Judgement {
  if (!vulnerabilities) {
    // The first words of it are enough, and name no address.
    const why = /^\d{3} [A-Za-z ]+/.exec(message ?? '')?.[0].trim() ?? 'no answer';
    return { lines: [`known holes: not known here, for the registry answers no audit (${why})`], bad: false };
  }
  const holes = Object.entries(vulnerabilities)
    .filter(([name]) => shipped.has(name))
    .map(([name, { severity, range = '' }]) => ({ name, severity, range }));
  const lines = holes.map(({ name, severity, range }) => `known hole: ${name} ${range} (${severity})`);
  const bad = holes.some(({ severity }) => grave.includes(severity));
  return { lines: lines.length > 0 ? lines : ['known holes: none'], bad };
}

/** How old packages are: told, never a failure, because a new version of somebody else's is no defect of ours. */
export function judgeFreshness(outdated: OutdatedAnswer): Judgement {
  const behind = Object.entries(outdated).filter(([, { current, latest }]) => current && latest && current !== latest);
  const lines = behind.map(([name, { current, latest }]) => `newer: ${name} ${current} → ${latest}`);
  return { lines: lines.length > 0 ? lines : ['newer versions: none, or nobody told'], bad: false };
}

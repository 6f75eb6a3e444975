const families: Readonly<Record<string, string>> = { flink: 'Flink', kudo: 'KUDO', cloudfoundry: 'Cloud Foundry' };

/** What people call a family; one that is not known here keeps its own name. */
export function familyName(family: string): string {
  return Object.hasOwn(families, family) ? (families[family] ?? family) : family;
}

/** The name under which a version of an operator is installed. */
export function operatorVersionName({
  operator,
  version,
  appVersion,
}: {
  readonly operator: string;
  readonly version: string;
  readonly appVersion?: string;
}): string {
  return [operator, ...(appVersion ? [appVersion] : []), version].join('-');
}

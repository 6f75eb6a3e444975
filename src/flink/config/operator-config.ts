/** What the operator itself is configured with: the layer below every resource's own configuration. */
export interface OperatorConfig {
  /** Flat keys and values, as in the Java operator's `flink-conf.yaml` or `config.yaml`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Log configuration for clusters that bring none: `log4j-console.properties`, `logback-console.xml`. */
  readonly logFiles: Readonly<Record<string, string>>;
}

import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { Blueprint } from './blueprint.ts';
import { configFileName } from './config-file.ts';
import type { Mounted } from './kube-types.ts';

/** Log configuration by file name: what users bring, else the operator's. */
export function logFiles({ plan }: Blueprint): Readonly<Record<string, string>> {
  const { logConfiguration } = plan.spec;
  const files = logConfiguration ?? plan.operator.logFiles;
  return Object.fromEntries(
    ['logback-console.xml', 'log4j-console.properties'].flatMap((name) => {
      const text = Object.hasOwn(files, name) ? files[name] : undefined;
      return typeof text === 'string' ? [[name, text] as const] : [];
    }),
  );
}

export function configMapName({ plan }: Blueprint): string {
  return `flink-config-${plan.owner.name}`;
}

/** The configuration, mounted where Flink looks for it. */
export function configVolume(blueprint: Blueprint): Mounted {
  const file = configFileName(blueprint.config, blueprint.plan.spec.flinkVersion);
  const items = [...Object.keys(logFiles(blueprint)), file].map((name) => ({ key: name, path: name }));
  return {
    volume: { name: 'flink-config-volume', configMap: { name: configMapName(blueprint), items } },
    mountPath: read(blueprint.config, flinkOptions.configDirectory),
  };
}

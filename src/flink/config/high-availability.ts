import type { FlinkConfig } from './flink-config.ts';
import { flinkOptions } from './flink-options.ts';
import { read } from './option.ts';

/**
 * Where Flink keeps its metadata for recovery: nowhere, in ConfigMaps, in ZooKeeper, or wherever a class that users
 * brought along keeps it.
 */
export type HighAvailability = 'none' | 'kubernetes' | 'zookeeper' | 'custom';

export function highAvailability(config: FlinkConfig): HighAvailability {
  const type = read(config, flinkOptions.haType).trim();
  switch (type.toLowerCase()) {
    case '':
    case 'none':
    case 'standalone':
      return 'none';
    case 'kubernetes':
    case 'org.apache.flink.kubernetes.highavailability.kuberneteshaservicesfactory':
      return 'kubernetes';
    case 'zookeeper':
      return 'zookeeper';
    default:
      return 'custom';
  }
}

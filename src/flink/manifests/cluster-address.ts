import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { ClusterAddress } from '../rest.ts';

/** Where a cluster that was deployed with this configuration is asked. */
export function clusterAddress(
  owner: { readonly namespace: string; readonly name: string },
  config: FlinkConfig,
): ClusterAddress {
  return {
    namespace: owner.namespace,
    name: owner.name,
    port: read(config, flinkOptions.restPort),
    tls: read(config, flinkOptions.restTls),
  };
}

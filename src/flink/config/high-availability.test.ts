import { expect, it } from 'vitest';
import { flatConfig } from './flink-config.ts';
import { highAvailability } from './high-availability.ts';

it.each([
  [{}, 'none'],
  [{ 'high-availability.type': 'NONE' }, 'none'],
  [{ 'high-availability.type': 'kubernetes' }, 'kubernetes'],
  [{ 'high-availability': 'KUBERNETES' }, 'kubernetes'],
  [{ 'high-availability': 'org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory' }, 'kubernetes'],
  [{ 'high-availability.type': 'ZooKeeper', 'high-availability': 'kubernetes' }, 'zookeeper'],
  [{ 'high-availability.type': 'com.example.Factory' }, 'custom'],
])('%j is %s', (configuration, expected) => {
  expect(highAvailability(flatConfig(configuration))).toBe(expected);
});

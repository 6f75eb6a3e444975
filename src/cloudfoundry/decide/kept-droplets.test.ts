import { describe, expect, it } from 'vitest';
import { markText } from '../deployment-mark.ts';
import { annotations } from '../keys.ts';
import type { CfDeployment } from '../resources/cf-deployment.ts';
import { app } from './build/build.fixture.ts';
import { keptDroplets } from './kept-droplets.ts';

function deployment(name: string, droplet: string, previous: string, value?: 'ACTIVE' | 'FINALIZED'): CfDeployment {
  return {
    apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
    kind: 'CFDeployment',
    metadata: { name, namespace: 'space' },
    spec: {
      appRef: { name: 'app' },
      strategy: 'rolling',
      dropletRef: { name: droplet },
      previousDropletRef: { name: previous },
      maxInFlight: 1,
      step: 1,
    },
    ...(value && { status: { value } }),
  };
}

describe('the droplets of an app that must stay', () => {
  it('are the current one, and those of deployments that are not over', () => {
    const deployments = [
      deployment('new', 'being-begun', 'now'),
      deployment('active', 'coming', 'leaving', 'ACTIVE'),
      deployment('old', 'ancient', 'older', 'FINALIZED'),
    ];
    const kept = keptDroplets(app({ currentDropletRef: { name: 'now' } }), deployments);
    expect([...kept].sort()).toEqual(['being-begun', 'coming', 'leaving', 'now']);
  });

  it('are also the one that the present revision was recorded with, when another has become the current one', () => {
    const revision = { appRev: '0', envSecretName: 'env', envNames: [], droplet: 'runs' };
    const kept = keptDroplets({ ...app({ currentDropletRef: { name: 'now' } }), status: { revision } }, []);
    expect([...kept].sort()).toEqual(['now', 'runs']);
  });

  it('are also what the present revision was deployed with, and what it may return to', () => {
    const marked = app({ currentDropletRef: { name: 'now' } });
    const mark = markText({ guid: 'done', appRev: 3, previous: { appRev: 2, droplet: 'before' } });
    const given = { ...marked, metadata: { ...marked.metadata, annotations: { [annotations.deployment]: mark } } };
    const kept = keptDroplets(given, [deployment('done', 'deployed', 'replaced', 'FINALIZED')]);
    expect([...kept].sort()).toEqual(['before', 'deployed', 'now', 'replaced']);
  });
});

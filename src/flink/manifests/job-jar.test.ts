import { describe, expect, it } from 'vitest';
import { flatConfig } from '../config/flink-config.ts';
import type { JobSpec } from '../resources/job-spec.ts';
import { clusterObjects } from './cluster-objects.ts';
import { examplePlan } from './cluster-plan.fixture.ts';
import { missingJar } from './job-jar.ts';

const driver = 'org.apache.flink.client.python.PythonDriver';

describe('the jar of a native application', () => {
  it.each<[string, JobSpec, Record<string, unknown>, ReturnType<typeof missingJar>]>([
    ['is written in the spec', { jarURI: 'local:///a.jar' }, {}, undefined],
    ['or in the configuration', {}, { 'pipeline.jars': 'local:///a.jar' }, undefined],
    ['there also as a list', {}, { pipeline: { jars: ['local:///a.jar'] } }, undefined],
    ['is missed on the class path', { entryClass: 'com.example.Main' }, {}, 'no jar'],
    ['is missed when it is empty', { jarURI: ' ' }, { 'pipeline.jars': ' ' }, 'no jar'],
    ['is one of several, which Flink refuses', {}, { 'pipeline.jars': 'a.jar;b.jar' }, 'several jars'],
    ['is chosen by the spec among several', { jarURI: 'local:///a.jar' }, { 'pipeline.jars': 'a;b' }, undefined],
    ['is not needed by a Python driver', { entryClass: driver }, {}, undefined],
    ['is not needed by a Python script', { args: ['--python', '/opt/job.py'] }, { 'pipeline.jars': 'a;b' }, undefined],
    ['is needed by what only looks like Python', { entryClass: `${driver}2`, args: ['-python'] }, {}, 'no jar'],
  ])('%s', (_, job, configuration, missing) => {
    expect(missingJar(job, flatConfig(configuration))).toBe(missing);
    const objects = clusterObjects(examplePlan({ job: { parallelism: 1, ...job }, flinkConfiguration: configuration }));
    expect('problem' in objects).toBe(missing !== undefined);
  });
});

import { describe, expect, it } from 'vitest';
import { exampleBlueGreen } from './blue-green.fixture.ts';
import { type ChildWanted, childName, childObject, childSpec } from './blue-green-child.ts';

const wanted = (more: Partial<ChildWanted> = {}): ChildWanted => {
  const resource = more.resource ?? exampleBlueGreen();
  return { resource, color: 'BLUE', spec: resource.spec, restore: {}, id: 'uid-1/1/1', ...more };
};

describe('a side', () => {
  it('is named after the resource and its colour', () => {
    expect(childName('orders', 'BLUE')).toBe('orders-blue');
    expect(childName('orders', 'GREEN')).toBe('orders-green');
  });

  it('belongs to the resource, and says which side and which creation it is', () => {
    expect(childObject(wanted()).metadata).toEqual({
      name: 'counter-blue',
      namespace: 'shop',
      labels: { 'flink/blue-green-deployment-type': 'BLUE' },
      annotations: { 'cutover.dev/id': 'uid-1/1/1' },
      ownerReferences: [
        {
          apiVersion: 'flink.apache.org/v1beta1',
          kind: 'FlinkBlueGreenDeployment',
          name: 'counter',
          uid: 'uid-1',
          controller: false,
          blockOwnerDeletion: true,
        },
      ],
    });
  });

  it('has the labels and annotations of the template, but none that would make it another side', () => {
    const metadata = {
      name: 'evil',
      finalizers: ['never/ends'],
      ownerReferences: [{ uid: 'stranger' }],
      labels: { team: 'a', 'flink/blue-green-deployment-type': 'GREEN' },
      annotations: { note: 'n', 'cutover.dev/id': 'forged' },
    };
    const { template } = exampleBlueGreen().spec;
    const made = childObject(wanted({ spec: { template: { ...template, metadata } } })).metadata;
    expect(made.labels).toEqual({ team: 'a', 'flink/blue-green-deployment-type': 'BLUE' });
    expect(made.annotations).toEqual({ note: 'n', 'cutover.dev/id': 'uid-1/1/1' });
    expect(made.name).toBe('counter-blue');
    expect(made.ownerReferences).toHaveLength(1);
    expect(made).not.toHaveProperty('finalizers');
  });

  it('starts from the path that it is given and from no other', () => {
    const { template } = exampleBlueGreen({}).spec;
    const job = { ...template?.spec?.job, initialSavepointPath: 's3://left-over' };
    const spec = { template: { spec: { ...template?.spec, job } } };
    expect(childSpec(spec, 'BLUE', undefined).job).not.toHaveProperty('initialSavepointPath');
    expect(childSpec(spec, 'BLUE', 's3://new').job?.initialSavepointPath).toBe('s3://new');
  });

  it('is the template otherwise, and of a template without anything an empty spec', () => {
    const { spec } = exampleBlueGreen();
    expect(childSpec(spec, 'GREEN', undefined)).toEqual(spec.template?.spec);
    expect(childSpec({}, 'GREEN', 's3://p')).toEqual({});
  });

  it.each([
    ['{{name}}.{{namespace}}.example.com', 'green-{{name}}.{{namespace}}.example.com'],
    ['example.com/{{namespace}}/{{name}}(/|$)(.*)', 'green-example.com/{{namespace}}/{{name}}(/|$)(.*)'],
    ['https://{{name}}.example.com:8443/x', 'https://green-{{name}}.example.com:8443/x'],
    ['*.example.com', '*.green.example.com'],
    ['/{{namespace}}/{{name}}(/|$)(.*)', '/{{namespace}}/{{name}}(/|$)(.*)'],
    ['/{{NAME}}', '/{{NAME}}'],
    ['/app(/|$)(.*)', '/green/app(/|$)(.*)'],
    ['/{{namespace}}/app', '/green/{{namespace}}/app'],
    ['/', '/green/'],
    ['http:///app', 'http:///green/app'],
    ['  {{name}}.example.com ', 'green-{{name}}.example.com'],
  ])('has an address of its own: %s is %s', (template, colored) => {
    const spec = { template: { spec: { ingress: { template, className: 'nginx' } } } };
    expect(childSpec(spec, 'GREEN', undefined).ingress).toEqual({ template: colored, className: 'nginx' });
  });

  it('without an address gets none', () => {
    const ingress = { className: 'nginx' };
    expect(childSpec({ template: { spec: { ingress } } }, 'GREEN', undefined).ingress).toEqual(ingress);
  });
});

import { describe, expect, it } from 'vitest';
import type { Parameter } from '../resources/operator-version.ts';
import { placeOf } from './place.fixture.ts';
import { renderObjects, renderText } from './render-objects.ts';

const configMap = (name: string, data = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${data}`;

const parameters: readonly Parameter[] = [
  { name: 'SIZE', default: '3' },
  { name: 'TABLE', 'value-type': 'map', default: 'a: 1\nb: [x]' },
];

const text = (template: string, changed: Parameters<typeof placeOf>[1] = {}): string => {
  const rendered = renderText(
    placeOf({ templates: { 't.yaml': template }, parameters: [...parameters] }, changed),
    't.yaml',
  );
  return 'text' in rendered ? rendered.text : `${rendered.complaint.reason}: ${rendered.complaint.message}`;
};

describe('rendering', () => {
  it('gives objects in the order of templates, then of documents', () => {
    const templates = { 'a.yaml': `${configMap('a')}---\n${configMap('b')}`, 'c.yaml': configMap('{{ .Name }}-c') };
    const rendered = renderObjects(placeOf({ templates }), ['c.yaml', 'a.yaml']);
    expect(rendered).toMatchObject({
      objects: [{ metadata: { name: 'st-c' } }, { metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
    });
  });

  it('shows templates their place, the parameters and the pipes', () => {
    expect(
      text(
        '{{ .Name }} {{ .Namespace }} {{ .OperatorName }} {{ .OperatorVersion }} {{ .AppVersion }} {{ .PlanName }} {{ .PhaseName }} {{ .StepName }}',
      ),
    ).toBe('st here beta 0.1.0 2.1 deploy run node');
    expect(text('{{ .Params.SIZE }} {{ .Params.TABLE }}')).toBe('3 map[a:1 b:[x]]');
    expect(text('{{ .Params.SIZE }}', { parameters: { SIZE: '5' } })).toBe('5');
    expect(text('{{ .Pipes.cert }}', { pipes: { cert: 'st.deploy.cert' } })).toBe('st.deploy.cert');
  });

  it('sees another value after another value was accepted', () => {
    const place = placeOf({ templates: { 't.yaml': '{{ .Params.SIZE }}' }, parameters: [...parameters] });
    const rendered = ['1', '2', '1'].map((SIZE) => renderText({ ...place, parameters: { SIZE } }, 't.yaml'));
    expect(rendered).toEqual([{ text: '1' }, { text: '2' }, { text: '1' }]);
  });

  it('sees another default after an upgrade, though the parameters are the same', () => {
    const of = (value: string) =>
      placeOf({ templates: { 't.yaml': '{{ .Params.SIZE }}' }, parameters: [{ name: 'SIZE', default: value }] });
    const same = {};
    expect([of('1'), of('2')].map((place) => renderText({ ...place, parameters: same }, 't.yaml'))).toEqual([
      { text: '1' },
      { text: '2' },
    ]);
  });

  it.each([
    [
      '{{ .Params.NOPE }}',
      'error expanding template t.yaml: error rendering template: template: t.yaml:1:10: executing "t.yaml" at <.Params.NOPE>: map has no entry for key "NOPE"',
    ],
    ['{{ if }}', 'error expanding template t.yaml: error parsing template: template: t.yaml:1: missing value for if'],
    [
      '{{ env "HOME" }}',
      'error expanding template t.yaml: error parsing template: template: t.yaml:1: function "env" not defined',
    ],
  ])('complains about %s in the words of KUDO', (template, message) => {
    expect(text(template)).toBe(`TaskRenderingError: ${message}`);
  });

  it('says in which line of the template', () => {
    const place = placeOf({ templates: { 't.yaml': 'a: b\n{{ .Nope }}' } });
    expect(renderObjects(place, ['t.yaml'])).toMatchObject({ complaint: { template: 't.yaml', line: 2 } });
  });

  it('complains about a template that is not there, also one with the name of a method', () => {
    for (const name of ['gone.yaml', 'toString', '__proto__']) {
      expect(renderObjects(placeOf({ templates: {} }), [name])).toMatchObject({ complaint: { template: name } });
    }
    expect(renderObjects(placeOf({ templates: null }), ['gone.yaml'])).toMatchObject({
      complaint: { reason: 'TaskRenderingError' },
    });
  });

  it('complains about a parameter that is not what its type says', () => {
    expect(text('x', { parameters: { TABLE: '[unclosed' } })).toContain('parameter "TABLE" is not YAML');
  });

  it('applies what is no longer served as what took its place, and says so', () => {
    const cron = 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: c}\n';
    expect(renderObjects(placeOf({ templates: { 'c.yaml': cron } }), ['c.yaml'])).toEqual({
      objects: [{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'c' } }],
      warnings: ['c.yaml: CronJob c: batch/v1beta1 is no longer served, applied as batch/v1'],
    });
  });

  it('gives the same random values for the same Instance, and none without its key', () => {
    const key = new Uint8Array(32).fill(7);
    const template = '{{ randAlphaNum 12 }}';
    expect(text(template, { key })).toMatch(/^\w{12}$/);
    expect(text(template, { key })).toBe(text(template, { key }));
    expect(text(template, { key })).not.toBe(text(template, { key: new Uint8Array(32).fill(8) }));
    expect(text(template)).toContain('TaskRenderingError');
  });
});

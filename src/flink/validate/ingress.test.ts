import { describe, expect, it } from 'vitest';
import { validateDeployment } from './deployment.ts';
import { deployment, edited, operator } from './example.fixture.ts';

const judge = (template: string): readonly string[] =>
  validateDeployment(edited(deployment, { 'spec.ingress.template': template }), { operator }).map(
    ({ message }) => message,
  );

describe('the template of an ingress', () => {
  it.each([
    '{{name}}.{{namespace}}.flink.example.com',
    'example.com/{{namespace}}/{{name}}(/|$)(.*)',
    '/{{Namespace}}/{{name}}(/|$)(.*)',
    'https://dash.example.com:65535/x',
    '*.example.com',
    '  example.com  ',
  ])('may be %s', (template) => {
    expect(judge(template)).toEqual([]);
  });

  it.each([
    ['http://x:65536', '"65536" is not a port'],
    ['http://x:', '"" is not a port'],
    ['ftp://example.com', '"ftp" is not the scheme of a web page'],
    ['{{cluster}}.example.com', '"{{cluster}}" is not a placeholder'],
    ['Example.com', '"Example.com" is not the name of a host'],
    ['me@example.com', '"me@example.com" is not the name of a host'],
    ['a..example.com', 'is not the name of a host'],
    [`${'a'.repeat(64)}.com`, 'is not the name of a host'],
    ['example.com/a b', 'it has a space in it'],
  ])('may not be %s', (template, why) => {
    expect(judge(template)).toEqual([expect.stringContaining(why)]);
  });
});

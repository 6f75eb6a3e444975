import { describe, expect, it } from 'vitest';
import { parseTemplate, renderTemplate } from '../../template.ts';
import { sprigFunctions } from './sprig-functions.ts';

const render = (text: string, key: Uint8Array | undefined = new Uint8Array(32)) =>
  renderTemplate(parseTemplate({ name: 't', text }, sprigFunctions), {}, { key });

describe('random functions', () => {
  it.each([
    'randAlpha 20',
    'randAlphaNum 20',
    'randAscii 20',
    'randNumeric 20',
    'uuidv4',
    'shuffle "abcdefghijklmnop"',
  ])('%s gives the same for the same key, and something else for another one and at another place', (call) => {
    const text = `{{ ${call} }}`;
    expect(render(text)).toBe(render(text));
    expect(render(text)).not.toBe(render(text, new Uint8Array(32).fill(1)));
    const [first, second] = render(`{{ ${call} }}\u0000{{ ${call} }}`).split('\u0000');
    expect(first).not.toBe(second);
  });

  // Passwords that were rendered once must be the same in every later release: these never change.
  it.each([
    ['randAlpha 20', 'WMPQydqeDNbambQJTnpa'],
    ['randAlphaNum 20', 'uGbW6hqQfLjuSTslTnn4'],
    ['randAlphaNum 1', '3'],
    ['randAscii 20', '5^ANM- !/BEqGfKH<[6Q'],
    ['randAscii 100 | sha256sum', '5c834097ad94c8a46fb689bd79e1bb6be46901ca516eb119824501d35d2057da'],
    ['randNumeric 20', '62360306597645853974'],
    ['shuffle "abcdefghijklmnop"', 'ekhlfbimoanpdjcg'],
    ['uuidv4', 'd58bda87-d8e7-49b9-a230-94b19d069910'],
    ['encryptAES "secret" "hello"', '1Yvah9jnSblCMJSxnQaZEMSMHq9uBrCufpHEDjXPJBI='],
    ['genPrivateKey "ecdsa" | sha256sum', '5e3c5b795a3e8053b3b94ae6363d4703492f8b85cd57e18cb158c67af58e3c93'],
  ])('%s is what it has always been', (call, drawn) => {
    expect(render(`{{ ${call} }}`)).toBe(drawn);
  });

  it('draw from their own characters, as many as were asked for', () => {
    expect(render('{{ randAlpha 500 }}')).toMatch(/^[A-Za-z]{500}$/);
    expect(render('{{ randAlphaNum 500 }}')).toMatch(/^[A-Za-z0-9]{500}$/);
    expect(render('{{ randNumeric 500 }}')).toMatch(/^[0-9]{500}$/);
    expect(render('{{ randAscii 500 }}')).toMatch(/^[ -~]{500}$/);
  });

  it('use all of their characters', () => {
    const used = (call: string) => new Set(render(`{{ ${call} }}`)).size;
    expect(used('randAlpha 3000')).toBe(52);
    expect(used('randAlphaNum 3000')).toBe(62);
    expect(used('randNumeric 3000')).toBe(10);
    expect(used('randAscii 6000')).toBe(95);
  });

  it('give nothing for a count of zero or less', () => {
    expect(
      render('[{{ randAlpha 0 }}{{ randAlphaNum 0 }}{{ randAscii -1 }}{{ randNumeric -5 }}{{ randAlphaNum -1 }}]'),
    ).toBe('[]');
  });

  it('put a digit into every password of letters and digits', () => {
    const passwords = render('{{ range until 200 }}{{ randAlphaNum 1 }}{{ end }}');
    expect(passwords).toMatch(/^[0-9]{200}$/);
    expect(new Set(passwords).size).toBe(10);
    for (const password of render('{{ range until 100 }}{{ randAlphaNum 3 }} {{ end }}').trim().split(' ')) {
      expect(password).toMatch(/^[A-Za-z0-9]{3}$/);
      expect(password).toMatch(/[0-9]/);
    }
  });

  it('make UUIDs of version 4', () => {
    const uuids = render('{{ range until 50 }}{{ uuidv4 }} {{ end }}').trim().split(' ');
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(uuids).size).toBe(50);
    expect(new Set(uuids.map((uuid) => uuid[19])).size).toBe(4);
  });

  it('shuffle all characters, every order being possible', () => {
    expect([...render('{{ shuffle "hello wörld" }}')].sort().join('')).toBe([...'hello wörld'].sort().join(''));
    const orders = new Set(render('{{ range until 200 }}{{ shuffle "abc" }} {{ end }}').trim().split(' '));
    expect(orders.size).toBe(6);
    expect(render('[{{ shuffle "" }}]')).toBe('[]');
  });

  it('fail without a key', () => {
    const template = parseTemplate({ name: 't', text: '{{ randAlpha 5 }}' }, sprigFunctions);
    expect(() => renderTemplate(template, {})).toThrow('error calling randAlpha');
  });
});

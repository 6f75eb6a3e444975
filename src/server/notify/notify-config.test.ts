import { describe, expect, it } from 'vitest';
import { headersIn, NotifyConfigError, parseNotifyConfig } from './notify-config.ts';

describe('parseNotifyConfig', () => {
  it('reads who wants to hear of what', () => {
    const text = `webhooks:
- url: https://hooks.example/x
  events: [failed, needs-you]
  namespaces: [north]
  headersFrom: /etc/cutover/headers`;
    expect(parseNotifyConfig(text)).toEqual([
      {
        url: 'https://hooks.example/x',
        events: ['failed', 'needs-you'],
        namespaces: ['north'],
        headersFrom: '/etc/cutover/headers',
      },
    ]);
    expect(parseNotifyConfig('webhooks: []')).toEqual([]);
  });

  it.each([
    ['', 'the file'],
    ['webhooks: [', 'not YAML'],
    ['webhooks: [{ url: "ftp://s3cret", events: [failed] }]', 'webhooks.0.url: must be an http:// or https:// address'],
    ['webhooks: [{ url: "https://joe:s3cret@x", events: [failed] }]', 'webhooks.0.url: must hold no password'],
    ['webhooks: [{ url: "https://s3cret", events: [fail] }]', 'webhooks.0.events.0'],
    ['webhooks: [{ url: "https://s3cret", events: [] }]', 'name at least one of transition-started'],
    ['webhooks: [{ url: "https://s3cret", events: [failed], token: s3cret }]', 'webhooks.0'],
    ['hooks: []', 'notifications: webhooks'],
  ])('says what is wrong in %j, and no address', (text, why) => {
    expect(() => parseNotifyConfig(text)).toThrow(NotifyConfigError);
    expect(() => parseNotifyConfig(text)).toThrow(why);
    expect(() => parseNotifyConfig(text)).not.toThrow('s3cret');
  });
});

it('does not quote an address that stands where a key belongs', () => {
  const text = 'webhooks: []\nhttps://who:hidden@hooks.example: x';
  expect(() => parseNotifyConfig(text)).toThrow('notifications: the file: Unrecognized key; it must be');
});

it('refuses a list that only pretends to have a length', () => {
  expect(() => parseNotifyConfig('{"webhooks":{"length":{"toString":0}}}')).toThrow(NotifyConfigError);
});

describe('headersIn', () => {
  it('takes lines that are headers, and no others', () => {
    expect(headersIn('Authorization: Bearer x\r\nX-A:b\n\n# note\nbad name: x\nX-Bad: a\u0007\n: x')).toEqual({
      authorization: 'Bearer x',
      'x-a': 'b',
    });
  });

  it('comes to an end with a line of blanks', () => {
    expect(headersIn(`X-A:${' '.repeat(60_000)}\u0007`)).toEqual({});
    expect(headersIn(`X-A:${' '.repeat(60_000)}b${' '.repeat(4000)}`)).toEqual({ 'x-a': 'b' });
  });
});

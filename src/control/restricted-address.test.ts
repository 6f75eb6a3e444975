import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restrictedAddress } from './restricted-address.ts';

describe('restrictedAddress', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['10.96.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.100.100.200', 'shared by a carrier or cloud'],
    ['169.254.169.254', 'link-local, where clouds keep their metadata'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fd00:ec2::254', 'private'],
    ['ff02::1', 'multicast'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['0:0:0:0:0:ffff:a00:1', 'private'],
    ['::127.0.0.1', 'loopback'],
    ['64:ff9b::169.254.169.254', 'link-local, where clouds keep their metadata'],
    ['64:ff9b::a9fe:a9fe', 'link-local, where clouds keep their metadata'],
    ['64:ff9b::a9fe:0', 'link-local, where clouds keep their metadata'],
    ['2002:7f00:1::', 'tunnelled'],
    ['', 'no address'],
    ['localhost', 'no address'],
    ['127.1', 'no address'],
  ])('restricts %s: %s', (ip, what) => {
    expect(restrictedAddress(ip)).toBe(what);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '169.253.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '64:ff9b::101:101',
    '::ffff:1.1.1.1',
  ])('lets %s be', (ip) => {
    expect(restrictedAddress(ip)).toBeUndefined();
  });

  it('says of an IPv4 address the same in every spelling', () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), (bytes) => {
        const [a, b, c, d] = bytes;
        const dotted = bytes.join('.');
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const what = restrictedAddress(dotted);
        expect(restrictedAddress(`::ffff:${dotted}`)).toBe(what);
        expect(restrictedAddress(`::ffff:${hex}`)).toBe(what);
        expect(restrictedAddress(`64:ff9b::${hex}`)).toBe(what);
        expect(restrictedAddress(`0:0:0:0:0:FFFF:${hex}`)).toBe(what);
      }),
    );
  });

  it('answers for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void restrictedAddress(text)));
  });
});

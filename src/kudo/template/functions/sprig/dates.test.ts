import { describe, expect, it } from 'vitest';
import { parseTemplate, renderTemplate } from '../../template.ts';
import { sprigFunctions } from './sprig-functions.ts';

const render = (text: string, data = {}) => renderTemplate(parseTemplate({ name: 't', text }, sprigFunctions), data);

describe('dates', () => {
  it.each(['now', 'ago 5', 'ago (int64 5)'])('%s is refused for want of a clock, with the way out', (call) => {
    const name = call.split(' ')[0];
    expect(() => render(`{{ ${call} }}`)).toThrow(
      `error calling ${name}: ${name} needs a clock, and templates have none`,
    );
    expect(() => render(`{{ ${call} }}`)).toThrow('Give the time as a parameter and read it with toDate');
  });

  it.each([
    'date "2006" "2020"',
    'date "2006" nil',
    'date "2006" 1.5',
    'htmlDate ""',
    'dateInZone "2006" "" "UTC"',
    'htmlDateInZone (list) "UTC"',
  ])('%s is refused, because Go would take the present', (call) => {
    expect(() => render(`{{ ${call} }}`)).toThrow('the value is no time, so Go would take the present');
    expect(() => render(`{{ ${call} }}`)).toThrow('seconds since 1970 made with int64');
  });

  it('take a number of a parameter when it is made an integer', () => {
    expect(render('{{ htmlDate (int64 .seconds) }}', { seconds: 1_500_000_000 })).toBe('2017-07-14');
  });

  it('show the same moment in another zone', () => {
    const time = '(toDate "2006-01-02T15:04:05Z07:00" "2024-07-01T12:00:00+02:00")';
    expect(render(`{{ date "15:04 MST" ${time} }}`)).toBe('10:00 UTC');
    expect(render(`{{ dateInZone "15:04 MST -0700" ${time} "America/New_York" }}`)).toBe('06:00 EDT -0400');
    expect(render(`{{ date_in_zone "15:04 MST" ${time} "Asia/Dubai" }}`)).toBe('14:00 +04');
    expect(render(`{{ htmlDateInZone ${time} "Pacific/Kiritimati" }}`)).toBe('2024-07-02');
    expect(render(`{{ dateInZone "MST" ${time} "America/St_Johns" }}`)).toBe('NDT');
    expect(render(`{{ dateInZone "MST -07" ${time} "Asia/Kathmandu" }}`)).toBe('+0545 +05');
  });
});

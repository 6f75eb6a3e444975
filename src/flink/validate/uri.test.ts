import { expect, it } from 'vitest';
import { shownUri } from './uri.ts';

it.each([
  ['https://repo.example:8080/a/job.jar', 'https://repo.example:8080/a/job.jar'],
  ['https://repo.example/a.jar?sig=hidden#hidden', 'https://repo.example/a.jar?…'],
  ['s3://bucket/team@v1/job.jar', 's3://bucket/team@v1/job.jar'],
  ['local:///opt/flink/a@1.jar', 'local:///opt/flink/a@1.jar'],
  ['https://anna:hidden@repo.example/a.jar', 'https://…@repo.example/a.jar'],
  ['https:/anna:hidden@repo.example/a.jar', 'https:/…@repo.example/a.jar'],
  ['https:\\\\anna:hidden@repo.example', 'https:\\\\…@repo.example'],
  ['anna:hidden@repo.example', 'anna:…@repo.example'],
  ['https://anna:hidden/hidden@repo.example/a.jar', 'https://…'],
  ['https://anna:hidden?hidden@repo.example/a.jar', 'https://…'],
  ['https://anna:hid@den@repo.example/a.jar', 'https://…'],
  ['anna:12/hidden@repo.example', 'anna:…'],
  [`local:///${'a'.repeat(300)}`, `local:///${'a'.repeat(191)}…`],
])('shows %s as %s', (uri, shown) => {
  expect(shownUri(uri)).toBe(shown);
});

import { expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import { placeOf } from '../../render/place.fixture.ts';
import { lastOfEach } from './last-of-each.ts';
import type { TaskWork } from './work.ts';

const map = (name: string, value: string): AnyObject => {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
};
const task = (does: 'apply' | 'delete', name: string, ...objects: AnyObject[]): TaskWork => {
  return { name, place: placeOf(), does, objects, warnings: ['before'] };
};

it('keeps a step as it is in which every object stands once', () => {
  const tasks = [task('apply', 'a', map('x', '1'), map('y', '1')), task('delete', 'b', map('x', '1'))];
  expect(lastOfEach(tasks)).toEqual(tasks);
});

it('keeps the last of several objects with one kind and name, and says so', () => {
  expect(lastOfEach([task('apply', 'a', map('x', '1'), map('y', '1'), map('x', '2'))])).toMatchObject([
    {
      objects: [map('y', '1'), map('x', '2')],
      warnings: ['before', 'ConfigMap x stands twice in one task with different content; the last one counts'],
    },
  ]);
});

it('does so across the tasks of a step', () => {
  expect(lastOfEach([task('apply', 'a', map('x', '1')), task('apply', 'b', map('x', '2'))])).toMatchObject([
    {
      objects: [],
      warnings: ['before', 'ConfigMap x stands twice in one step with different content; the last one counts'],
    },
    { objects: [map('x', '2')], warnings: ['before'] },
  ]);
});

it('says nothing of objects that are the same', () => {
  expect(lastOfEach([task('apply', 'a', map('x', '1'), map('x', '1'))])).toMatchObject([
    { objects: [map('x', '1')], warnings: ['before'] },
  ]);
});

import { expect, test } from 'vitest';
import { grantsOf, mayManage, propertyScope } from '#platform/http/identity.js';

test('H-111: scopes of a token, the earlier name of desk, and hotels', () => {
  expect(grantsOf('desk finance')).toEqual({ scopes: ['desk', 'finance'] });
  expect(grantsOf('staff')).toEqual({ scopes: ['desk'] });
  expect(grantsOf('admin Desk  desks')).toEqual({ scopes: [] });
  expect(grantsOf('property:h1 desk property:h2')).toEqual({ scopes: ['desk'], properties: ['h1', 'h2'] });
  expect(grantsOf('desk property:a%3Ab')).toEqual({ scopes: ['desk'], properties: ['a:b'] });
});

test('H-111: a property that names no hotel limits the caller to none', () => {
  for (const wrong of ['property:', 'property:%E0%A4%A', 'property:%']) {
    expect(grantsOf(`desk ${wrong}`)).toEqual({ scopes: ['desk'], properties: [] });
  }
  const many = Array.from({ length: 5_000 }, (_, n) => `property:h${n}`).join(' ');
  expect(grantsOf(`desk ${many}`).properties).toHaveLength(100);
});

test('H-111: a hotel is managed by those whom nothing limits, or who name it', () => {
  const who = { userId: 'ann', scopes: [], expiresAt: 0 };
  expect(mayManage(who, 'h1')).toBe(true);
  expect(mayManage({ ...who, ...grantsOf(propertyScope('Grand Hôtel 1')) }, 'Grand Hôtel 1')).toBe(true);
  expect(mayManage({ ...who, ...grantsOf('property:h11') }, 'h1')).toBe(false);
});

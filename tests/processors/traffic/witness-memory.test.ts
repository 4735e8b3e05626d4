import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { compiledTree } from '../../compiled-tree.js';

const script = `
  const { witnessOf } = await import('#processors/traffic/witnesses.js');
  const witness = (driver) => ({ driver, turnedAway: false, stood: false, atMs: driver + 0.5 });
  const all = Array.from({ length: 1_000 }, (_, driver) => witnessOf(witness(driver), true));
  console.log(all.every((each) => %HaveSameMap(each, all[0])));
`;

it('drivers who came share one hidden class', () => {
  const args = ['--allow-natives-syntax', '--input-type=module', '--eval', script];
  expect(execFileSync(process.execPath, args, { cwd: compiledTree, encoding: 'utf8' }).trim()).toBe('true');
});

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PbfFile } from '#bench/map-tiles/write-pbf.js';
import { playFixture } from '../tile-builder/osm-fixture.js';
import type { AskedRow, JudgedCell } from './judged-row.js';
import type { Scenario, Step } from './read-scenarios.js';
import type { ScenarioMap } from './scenario-map.js';

/** What a command wrote. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `meridian` in a folder that has the map of the scenario. */
export type RunCommand = (args: readonly string[], map: ScenarioMap) => Promise<Ran>;

/** Stands for the file with the map. */
export const mapFile = 'map.osm.pbf';

/**
 * `meridian tiles build` does in one command what these programs of OSRM do in turn, and has profiles of its
 * own. Their other options have no equivalent; one that no program has is refused by all of them.
 */
const builders = 'osrm-(?:extract|partition|contract|customize)';
const equivalents: readonly (readonly [RegExp, (found: string) => readonly string[]])[] = [
  [/^osrm-\w+ (-v|--version)$/, (flag) => [flag]],
  [new RegExp(`^${builders} (--(?!list-inputs$)[\\w-]+)$`), (option) => ['tiles', 'build', option]],
  [/^osrm-routed (--(?!list-inputs$)[\w-]+)$/, (option) => ['api', option]],
  [/^osrm-extract --profile \{profile_file\} (\{osm_file\})$/, () => ['tiles', 'build', '--no-map', mapFile]],
  [
    new RegExp(
      `^${builders} (\\{(?:osm|processed)_file\\}|[\\w-]+\\.osrm)(?: --profile \\{profile_file\\})?$`,
    ),
    (file) => ['tiles', 'build', '--no-map', file.startsWith('{') ? mapFile : file],
  ],
];

/** The arguments of `meridian` that ask for what a command line of OSRM asks for, or undefined. */
export function equivalentOf(commandLine: string): readonly string[] | undefined {
  for (const [form, args] of equivalents) {
    const [, found] = form.exec(commandLine) ?? [];
    if (found !== undefined) return args(found);
  }
  return undefined;
}

type Judge = (ran: Ran, want: string) => Omit<JudgedCell, 'column' | 'want'>;
const output = (name: 'stdout' | 'stderr', fits: (text: string, want: string) => boolean): Judge => {
  return (ran, want) => ({ got: ran[name], isSame: fits(ran[name], want) });
};
const lines = (text: string): number => text.split('\n').length - 1;
const has = (text: string, want: string): boolean => text.includes(want);
const hasNot = (text: string, want: string): boolean => !has(text, want);
const fitsPattern = (text: string, want: string): boolean => new RegExp(want.slice(1, -1), 'm').test(text);
const isEmpty = (text: string): boolean => text === '';
const hasLines = (text: string, want: string): boolean => lines(text) === Number.parseInt(want, 10);

/** What is expected of a command, and how it is judged. */
const expectations: readonly (readonly [RegExp, string, Judge])[] = [
  [/^it should (exit successfully)$/, 'exit', ({ code }) => ({ got: String(code), isSame: code === 0 })],
  [/^it should (exit with an error)$/, 'exit', ({ code }) => ({ got: String(code), isSame: code !== 0 })],
  ...(['stdout', 'stderr'] as const).flatMap((name): (readonly [RegExp, string, Judge])[] => [
    [new RegExp(`^${name} should contain "(.*)"$`), name, output(name, has)],
    [new RegExp(`^${name} should not contain "(.*)"$`), name, output(name, hasNot)],
    [new RegExp(`^${name} should contain (/.*/)$`), name, output(name, fitsPattern)],
    [new RegExp(`^${name} should contain (\\d+ lines?)$`), name, output(name, hasLines)],
    [new RegExp(`^${name} should be (empty)$`), name, output(name, isEmpty)],
  ]),
];

/**
 * One row for a scenario in which one program is run and its end or output is judged. Empty when the program
 * or one of its arguments has no equivalent, or the map has a part that has none. A script is an argument,
 * too: a build has the profiles of this engine.
 */
export async function askPrograms(
  { steps }: Pick<Scenario, 'steps'>,
  map: ScenarioMap,
  run: RunCommand = runCommand,
): Promise<AskedRow[]> {
  const commands = steps.flatMap(({ text }) => /^I (?:try to )?run "(.*)"(.*)$/.exec(text)?.slice(1) ?? []);
  const [commandLine, more] = commands;
  const args = commandLine === undefined ? undefined : equivalentOf(commandLine);
  if (commands.length !== 2 || more !== '' || args === undefined || map.foreign.length > 0) return [];
  if (steps.some(({ text }) => /^the profile file\b/.test(text))) return [];
  const judged = steps.flatMap(({ text }) => expectationOf(text) ?? []);
  if (judged.length !== steps.filter(isExpectation).length || judged.length === 0) return [];
  const ran = await run(args, map);
  const cells = judged.map(({ column, want, judge }) => ({ column, want, ...judge(ran, want) }));
  return [{ kind: 'program', map, row: {}, cells, status: 0, answer: null, request: args.join(' ') }];
}

const isExpectation = ({ text }: Step): boolean => /^(it|stdout|stderr) should\b/.test(text);

function expectationOf(
  text: string,
): { readonly column: string; readonly want: string; readonly judge: Judge } | undefined {
  for (const [form, column, judge] of expectations) {
    const [, want] = form.exec(text) ?? [];
    if (want !== undefined) return { column, want, judge };
  }
  return undefined;
}

const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));
const TIMEOUT_MS = 60_000;

/** Many scenarios differ only in the name of OSRM's program; without a map the same is answered. */
const withoutMap = new Map<string, Promise<Ran>>();

function runCommand(args: readonly string[], map: ScenarioMap): Promise<Ran> {
  if (args.includes(mapFile)) return runIn(args, map);
  const key = args.join(' ');
  const running = withoutMap.get(key) ?? runIn(args, map);
  withoutMap.set(key, running);
  return running;
}

async function runIn(args: readonly string[], map: ScenarioMap): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-osrm-program-'));
  try {
    if (args.includes(mapFile)) {
      const file = new PbfFile(join(folder, mapFile));
      playFixture(map.elements(), file.sink);
      file.end();
    }
    // The settings of this process, such as an object store, are not those of the command.
    const env = { PATH: process.env['PATH'] ?? '', MERIDIAN_DATA: join(folder, 'data') };
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [command, ...args],
        { cwd: folder, env, timeout: TIMEOUT_MS },
        (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { describe, expect, it } from 'vitest';
import { askPrograms, equivalentOf, mapFile, type Ran } from './ask-programs.js';
import { classify } from './classify.js';
import { readProfileScript } from './profile-script.js';
import { readScenarios, type Scenario } from './read-scenarios.js';
import { ScenarioMap } from './scenario-map.js';

const scenarioOf = (...steps: readonly string[]): Scenario =>
  readScenarios(`Feature: programs\n  Scenario: one\n    ${steps.join('\n    ')}\n`, 'own.feature')[0]!;

const asked = async (ran: Partial<Ran>, ...steps: readonly string[]) => {
  const scenario = scenarioOf(...steps);
  const runs: (readonly string[])[] = [];
  const rows = await askPrograms(scenario, new ScenarioMap(scenario), (args) => {
    runs.push(args);
    return Promise.resolve({ code: 0, stdout: '', stderr: '', ...ran });
  });
  return { rows, runs, outcomes: rows.map((row) => classify(row).outcome) };
};

describe("OSRM's programs", () => {
  it('have equivalents by their arguments, never by the name of a scenario', () => {
    expect(equivalentOf('osrm-routed --version')).toEqual(['--version']);
    expect(equivalentOf('osrm-customize --no-such-option')).toEqual(['tiles', 'build', '--no-such-option']);
    expect(equivalentOf('osrm-routed --no-such-option')).toEqual(['api', '--no-such-option']);
    const build = ['tiles', 'build', '--no-map', mapFile];
    expect(equivalentOf('osrm-extract --profile {profile_file} {osm_file}')).toEqual(build);
    expect(equivalentOf('osrm-extract {osm_file} --profile {profile_file}')).toEqual(build);
    expect(equivalentOf('osrm-partition {processed_file}')).toEqual(build);
    expect(equivalentOf('osrm-contract nowhere.osrm')).toEqual([...build.slice(0, 3), 'nowhere.osrm']);
    for (const foreign of [
      'osrm-extract --list-inputs',
      'osrm-routed nowhere.osrm',
      'osrm-partition --max-cell-sizes 4,16 {processed_file}',
      'osrm-extract --profile {profile_file} {osm_file} --verbosity NONE',
      'osrm-datastore nowhere.osrm',
    ])
      expect(equivalentOf(foreign), foreign).toBeUndefined();
  });

  it('agree when end and output are as expected, and differ by sentences only', async () => {
    const missing = [
      'When I try to run "osrm-extract nowhere.osrm --profile {profile_file}"',
      'Then stdout should be empty',
      'And stderr should contain "nowhere.osrm"',
      'And stderr should contain "not found"',
      'And it should exit with an error',
    ];
    const own = await asked({ code: 2, stderr: 'nowhere.osrm does not exist\n' }, ...missing);
    expect([own.outcomes, own.runs.length]).toEqual([['decision'], 1]);
    const same = await asked({ code: 2, stderr: 'nowhere.osrm not found\n' }, ...missing);
    expect(same.outcomes).toEqual(['agree']);
    for (const wrong of [
      { code: 0, stderr: 'nowhere.osrm does not exist\n' },
      { code: 2, stderr: 'a file does not exist\n' },
      { code: 2, stderr: '' },
      { code: 2, stderr: 'nowhere.osrm does not exist\n', stdout: 'x' },
    ])
      expect((await asked(wrong, ...missing)).outcomes).toEqual(['wrong']);
  });

  it('have versions of three numbers, in one line', async () => {
    const version = [
      'When I run "osrm-extract -v"',
      'Then stderr should be empty',
      'And stdout should contain 1 line',
      'And stdout should contain /v\\d+\\.\\d+\\.\\d+/',
      'And it should exit successfully',
    ];
    expect((await asked({ stdout: '1.2.3\n' }, ...version)).outcomes).toEqual(['decision']);
    expect((await asked({ stdout: 'v1.2.3\n' }, ...version)).outcomes).toEqual(['agree']);
    for (const stdout of ['1.2.3\n\n', 'help\n'])
      expect((await asked({ stdout }, ...version)).outcomes).toEqual(['wrong']);
  });

  it('are not run when a part has no equivalent', async () => {
    const run = 'When I run "osrm-extract {osm_file} --profile {profile_file}"';
    for (const steps of [
      [run],
      [run, 'Then a log should be written', 'And stdout should be green'],
      [run, run, 'Then it should exit successfully'],
      ['When I run "osrm-extract -v" with input "Y"', 'Then it should exit successfully'],
      [
        'Given the profile file',
        '  """',
        '  api_version = 1',
        '  """',
        run,
        'Then it should exit successfully',
      ],
      ['Given the extract extra arguments "--foreign"', run, 'Then it should exit successfully'],
    ])
      expect(await asked({}, ...steps)).toEqual({ rows: [], runs: [], outcomes: [] });
    const prepared = ['Given the data has been extracted', run, 'Then it should exit successfully'];
    expect((await asked({}, ...prepared)).outcomes).toEqual(['agree']);
  });
});

describe('scripts that stand alone', () => {
  const script = [
    'api_version = 1',
    'properties.weight_precision                = 2',
    'function way_function(way, result)',
    "  result.name = way:get_value_by_key('name')",
    '  result.forward_speed = 36',
    'end',
    'function turn_function (turn)',
    '  turn.weight = turn.angle == 0 and 0 or 4.2',
    '  turn.duration = turn.weight',
    'end',
  ];

  it('have a speed and a time of turns', () => {
    const read = { script: { base: 'testbot', wayKph: 36, turnS: 4.2 }, isWhole: true };
    expect(readProfileScript(script)).toEqual(read);
    const tenths = script.map((line) =>
      line.replace(/turn\.weight = turn.*/, 'return angle == 0 and 0 or 42'),
    );
    expect(readProfileScript(tenths)).toEqual(read);
    for (const foreign of ['api_version = 5', 'result.forward_rate = 2', 'turn.duration = 2 * turn.angle'])
      expect(readProfileScript([...script, foreign]).isWhole, foreign).toBe(false);
  });

  it('do not change a profile that a script begins with', () => {
    const lines = ["functions = require('car')", 'function way_function(profile, way, result)', 'end'];
    expect(readProfileScript(lines).script.base).toBe('car');
  });
});

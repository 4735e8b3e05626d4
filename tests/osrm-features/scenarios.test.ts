import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askMatrix } from './ask-matrices.js';
import { askMatches, askNearest, askTrips } from './ask-places.js';
import { askPosts, postsOf } from './ask-posts.js';
import { askScenario, isRun } from './ask-scenario.js';
import { classify } from './classify.js';
import { isExpected } from './expected-cell.js';
import { filesOfTar } from './feature-archive.js';
import { type Counts, judgeFeatures, totals, worse } from './judge-features.js';
import type { AskedRow } from './judged-row.js';
import { type ProfileScript, readProfileScript } from './profile-script.js';
import { readScenarios } from './read-scenarios.js';
import { hasSameDirections } from './same-directions.js';
import { ScenarioMap } from './scenario-map.js';
import { type Json, openServedMaps, type ServedMaps } from './served-maps.js';
import { servedModes, testbotElements } from './testbot.js';

const town = `
Feature: a town of our own
  Background:
    Given the profile "car"
    And a grid size of 200 meters

  Scenario: a cross with a forbidden turn
    Given the node map
      """
          e
      a---b---c
          d
      """
    And the nodes
      | node | highway |
      | c    | turning_circle |
    And the ways
      | nodes | highway   | name |
      | ab    | secondary |      |
      | bc    | primary   | East |
      | eb    | tertiary  |      |
      | bd    | tertiary  |      |
    And the relations
      | type        | way:from | way:to | node:via | restriction  |
      | restriction | ab       | eb     | b        | no_left_turn |
    When I route I should get
      | from | to | route    | turns                    |
      | a    | d  | ,,       | depart,turn right,arrive |
      | d    | c  | ,East,East | depart,end of road right,arrive |
      | a    | e  | ,,       | depart,turn left,arrive  |

  Scenario: ways to test
    Then routability should be
      | highway | oneway | bothw | forw | backw      |
      | primary |        | x     | x    | driving    |
      | service | yes    | diff  | x    |            |
      | steps   |        |       |      | 10 km/h +-5 |

  @todo
  Scenario: not run
    When I route I should get
      | from | to |
`;

const [scenario, tested, notRun] = readScenarios(town, 'town.feature');

describe('scenarios of OSRM are read by its rules', () => {
  it('reads the background, tables and drawings, and the line and tags of a scenario', () => {
    expect(scenario!.steps.map(({ text }) => text).slice(0, 3)).toEqual([
      'the profile "car"',
      'a grid size of 200 meters',
      'the node map',
    ]);
    expect(scenario).toMatchObject({ file: 'town.feature', line: 7, tags: [] });
    expect([scenario, notRun].map((each) => isRun(each!))).toEqual([true, false]);
  });

  it('places letters on a grid of metres; two characters are one cell', () => {
    const map = new ScenarioMap(scenario!);
    const degM = 111_300;
    const [a, b, d] = ['a', 'b', 'd'].map((letter) => map.place(letter));
    expect((b!.lng - a!.lng) * degM).toBeCloseTo(400, 0);
    expect(b!.lat).toBe(a!.lat);
    expect((b!.lat - d!.lat) * 110_575).toBeCloseTo(200, 0);
    expect(map.letterAt([a!.lng + 0.0003, a!.lat])).toBe('a');
    expect(map.letterAt([a!.lng + 0.001, a!.lat])).toBe('_');
  });

  it('makes ways, tags and relations', () => {
    const { nodes, ways, relations } = new ScenarioMap(scenario!).elements();
    expect(ways.slice(0, 3).map(({ tags }) => tags)).toEqual([
      { highway: 'secondary' },
      { highway: 'primary', name: 'East' },
      { highway: 'tertiary' },
    ]);
    expect(nodes.find(({ tags }) => tags?.['name'] === 'c')!.tags).toEqual({
      name: 'c',
      highway: 'turning_circle',
    });
    const [ab, , eb] = ways.map(({ id }) => id);
    const via = nodes.find(({ tags }) => tags?.['name'] === 'b')!.id;
    expect(relations![0]).toMatchObject({
      tags: { type: 'restriction', restriction: 'no_left_turn' },
      members: [
        { type: 'way', id: ab, role: 'from' },
        { type: 'way', id: eb, role: 'to' },
        { type: 'node', id: via, role: 'via' },
      ],
    });
    // One way of five nodes for each row of routability.
    expect(new ScenarioMap(tested!).elements().ways.map(({ refs, tags }) => [refs.length, tags])).toEqual([
      [5, { highway: 'primary', name: 'w0' }],
      [5, { highway: 'service', oneway: 'yes', name: 'w1' }],
      [5, { highway: 'steps', name: 'w2' }],
    ]);
  });

  it('reads what a script changes, and whether each of its lines has a counterpart', () => {
    const read = (...lines: string[]) => readProfileScript(lines);
    expect(read('profile.properties.left_hand_driving = true', '')).toEqual({
      script: { drivingSide: 'left' },
      isWhole: true,
    });
    const segments = [
      "local functions = require('testbot')",
      'functions.process_segment = function(profile, segment)',
      '  segment.weight = 2',
      '  segment.duration = 11',
      'end',
      'return functions',
    ];
    expect(read(...segments)).toEqual({ script: { base: 'testbot', segmentS: 11 }, isWhole: true });
    expect(read(...segments, 'turn.duration = turn.angle').isWhole).toBe(false);
    // Only a constant order of routes is that of durations.
    expect(read('result.forward_rate = 1').isWhole).toBe(false);
    expect(read('profile.cardinal_directions = true', 'result.name = ""')).toEqual({
      script: { cardinalDirections: true, isNameless: true },
      isWhole: true,
    });
    const speeds = ['profile.speeds = Sequence {', 'highway = {', 'motorway      = 90,', '}', '}'];
    expect(read("profile.avoid = Set { 'motorway', 'motorway_link' }", ...speeds)).toEqual({
      script: { exclude: 'motorway' },
      isWhole: true,
    });
    expect(read("profile.avoid = Set { 'motorway' }").isWhole).toBe(false);
    expect(read('profile.properties.weight_name = "cyclability"')).toEqual({ script: {}, isWhole: true });
    expect(new ScenarioMap({ steps: [{ text: 'the profile file', lines: segments }] })).toMatchObject({
      profile: 'testbot',
      foreign: [],
    });
    const costly = { text: 'the profile file "car" initialized with', lines: ['profile.turn_bias = 2'] };
    expect(new ScenarioMap({ steps: [costly] })).toMatchObject({ profile: 'car', foreign: [costly.text] });
  });

  it('reads a tar', () => {
    const header = (name: string, size: number): Buffer => {
      const block = Buffer.alloc(512);
      block.write(name, 0);
      block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
      block.write('0', 156);
      return block;
    };
    const content = Buffer.alloc(1024);
    content.write('first');
    content.write('z', 599);
    const tar = Buffer.concat([header('x/a', 600), content, header('b', 0), Buffer.alloc(1024)]);
    const files = Array.from(filesOfTar(tar), ([path, bytes]) => [path, bytes().length]);
    expect(files).toEqual([
      ['x/a', 600],
      ['b', 0],
    ]);
  });
});

describe('cells are compared by the rules of OSRM', () => {
  it.each([
    ['ab,bc', 'ab,bc', true],
    ['ab,bc', 'ab', false],
    ['', '', true],
    ['x', '', false],
    ['101.2m', '100m +-2', true],
    ['103m', '100m +-2', false],
    ['104m', '100m ~5%', true],
    ['105.1m', '100m ~5%', false],
    ['0->91,89->0', '0->90,90->0 +-2', true],
    ['0->93,89->0', '0->90,90->0 +-2', false],
    ['0->91', '0->90,90->0 +-2', false],
    ['true:90;true:1 false:271', 'true:90;true:0 false:270 +-1', true],
    ['true:90;true:1 true:271', 'true:90;true:0 false:270 +-1', false],
    ['ab,cd', '/a.*d/', true],
    ['a|b', 'a\\|b', true],
    ['', '12 +-1', false],
  ])('%s for %s: %s', (got, want, same) => {
    expect(isExpected(got, want)).toBe(same);
  });
});

const row = (
  cells: Readonly<Record<string, readonly [string, string]>>,
  more: Partial<AskedRow> = {},
): AskedRow => ({
  kind: 'route',
  map: new ScenarioMap({ steps: [{ text: 'the profile "car"' }] }),
  row: {},
  status: 200,
  answer: { code: 'Ok', routes: [], waypoints: [] },
  request: '',
  cells: Object.entries(cells).map(([column, [want, got]]) => ({
    column,
    want,
    got,
    isSame: isExpected(got, want),
  })),
  ...more,
});

describe('a row that differs is judged by rules', () => {
  it.each([
    [
      'another type',
      'a,b,b',
      'depart,turn left,arrive',
      'a,b,b',
      'depart,end of road slight left,arrive',
      true,
    ],
    ['another side', 'a,b,b', 'depart,turn left,arrive', 'a,b,b', 'depart,turn right,arrive', false],
    ['straight on', 'a,b', 'depart,arrive', 'a,b,b', 'depart,new name straight,arrive', true],
    ['a fork is not silent', 'a,b', 'depart,arrive', 'a,b,b', 'depart,fork slight left,arrive', false],
    ['another road', 'a,b,b', 'depart,turn left,arrive', 'a,c,c', 'depart,turn left,arrive', false],
    [
      'an exit that is named twice',
      'a,b,b,b',
      'depart,roundabout-exit-2,exit roundabout right,arrive',
      'a,b,b',
      'depart,roundabout-exit-2,arrive',
      true,
    ],
    ['another name', 'a,b', 'depart,arrive', 'a,b,b', 'depart,new name slight left,arrive', true],
    [
      'another name for a turn',
      'a,b,b',
      'depart,turn slight left,arrive',
      'a,b,b',
      'depart,new name slight left,arrive',
      true,
    ],
    [
      'an exit of a roundabout on which the route begins',
      'a,b,b',
      'depart,exit roundabout right,arrive',
      'a,b,b',
      'depart,turn right,arrive',
      true,
    ],
    [
      'another exit',
      'a,b,b',
      'depart,roundabout-exit-2,arrive',
      'a,b,b',
      'depart,roundabout-exit-1,arrive',
      false,
    ],
    ['nothing', '', '', 'a,b,b', 'depart,turn right,arrive', false],
  ])('%s', (_, route, turns, gotRoute, gotTurns, same) => {
    expect(hasSameDirections(row({ route: [route, gotRoute], turns: [turns, gotTurns] }))).toBe(same);
  });

  it('a turn may be at another node of the same crossing', () => {
    const at = (places: readonly [string, string], gridM: number) =>
      hasSameDirections({
        ...row({ turns: ['depart,turn left,arrive', 'depart,end of road left,arrive'], locations: places }),
        map: new ScenarioMap({
          steps: [{ text: `a grid size of ${gridM} meters` }, { text: 'the node map', lines: ['a b c d'] }],
        }),
      });
    expect(at(['a,b,d', 'a,c,d'], 20)).toBe(true);
    expect(at(['a,b,d', 'a,c,d'], 100)).toBe(false);
    expect(at(['a,b,d', 'a,_,d'], 20)).toBe(false);
  });

  it('without turns the same roads are the same directions', () => {
    expect(hasSameDirections(row({ route: ['a,b,b', 'a,a,b'] }))).toBe(true);
    expect(hasSameDirections(row({ route: ['a,b,b', 'a,c,b'] }))).toBe(false);
    expect(hasSameDirections(row({ route: ['', 'a'] }))).toBe(false);
  });

  it('without turns, roads and places of our steps straight on are left out', () => {
    const map = new ScenarioMap({ steps: [{ text: 'the node map', lines: ['a b c d'] }] });
    const steps = (types: readonly string[]): Json[] =>
      types.map((each, at) => {
        const [type, modifier] = each.split(':');
        const { lng, lat } = map.place('abcd'[at]!);
        return { name: 'abcd'[at], maneuver: { type, modifier, location: [lng, lat] } };
      });
    const same = (told: string, cells: Parameters<typeof row>[0]): boolean =>
      hasSameDirections({
        ...row(cells),
        map,
        answer: { routes: [{ legs: [{ steps: steps(['depart', told, 'turn:left', 'arrive']) }] }] },
      });
    const [route, locations] = [['a,c,d', 'a,b,c,d'] as const, ['a,c,d', 'a,b,c,d'] as const];
    expect(same('new name:straight', { route })).toBe(true);
    expect(same('turn:right', { route })).toBe(false);
    expect(same('new name:straight', { locations })).toBe(true);
    expect(same('turn:right', { locations })).toBe(false);
    expect(same('new name:straight', { time: ['1s', '2s'] })).toBe(false);
  });

  it('covers a cell by what it contains; one cell without a rule makes the row wrong', () => {
    const outcome = (...args: Parameters<typeof row>) => {
      const { outcome: found, rules } = classify(row(...args));
      return [found, ...rules.map(({ id }) => id)];
    };
    expect(outcome({ route: ['a,a', 'a,a'], time: ['10s', '12s'] })).toEqual(['decision', 'speeds']);
    expect(outcome({ route: ['a,a', 'b,b'], time: ['10s', '12s'] })).toEqual(['wrong']);
    expect(outcome({ route: ['a,a', ''], time: ['10s', ''] })).toEqual(['wrong']);
    expect(outcome({ route: ['a', 'a'], lanes: ['left:true', ''] })).toEqual(['no concept', 'lanes']);
    const crossings = (want: string, got: string) => outcome({ intersections: [want, got] });
    expect(crossings('true:90,true:0 false:270;true:270', 'true:90;true:9 false:265;true:270')).toEqual([
      'decision',
      'bearings',
    ]);
    expect(crossings('true:90;true:0', 'true:90;false:0')).toEqual(['wrong']);
    expect(crossings('true:90;true:0', 'true:90;true:50')).toEqual(['wrong']);
    // Where lanes are given they are compared.
    const answer = { routes: [{ legs: [{ steps: [{ intersections: [{ lanes: [] }] }] }] }] };
    expect(outcome({ lanes: ['left:true', 'right:true'] }, { answer })).toEqual(['wrong']);
    expect(outcome({ route: ['a,a', ''] }, { status: 404 })).toEqual(['decision', 'service']);
    expect(outcome({ route: ['', ''] }, { status: 404 })).toEqual(['decision', 'service']);
  });

  it('signals excuse only the times that they cost', () => {
    const signals = new ScenarioMap({
      steps: [
        { text: 'the profile "testbot"' },
        { text: 'the node map', lines: ['a b c'] },
        {
          text: 'the nodes',
          table: [
            ['node', 'highway'],
            ['b', 'traffic_signals'],
          ],
        },
      ],
    });
    const outcome = (want: string, got: string): string =>
      classify({
        ...row({ c: [want, got] }),
        ...{ kind: 'table', row: { part: 'durations', number: '0' }, map: signals },
      }).outcome;
    expect(outcome('47', '40')).toBe('decision');
    expect(outcome('60', '40')).toBe('wrong');
    expect(outcome('30', '40')).toBe('wrong');
  });

  it('says what is worse than expected, in each file', () => {
    const counts = (agree: number, direction: number, wrong: number): Counts => ({
      ...{ agree, direction, wrong },
      ...{ decision: 0, 'no concept': 0 },
    });
    const expected = new Map([['a', counts(5, 2, 1)]]);
    expect(worse(new Map([['a', counts(5, 2, 1)]]), expected)).toEqual([]);
    expect(worse(new Map([['a', counts(6, 1, 0)]]), expected)).toEqual([]);
    expect(worse(new Map([['a', counts(4, 3, 1)]]), expected)).toEqual(['a: 4 rows agree instead of 5.']);
    expect(worse(new Map([['a', counts(5, 1, 1)]]), expected)).toHaveLength(1);
    expect(worse(new Map([['a', counts(5, 2, 2)]]), expected)).toEqual(['a: 2 rows are wrong instead of 1.']);
    expect(worse(new Map(), expected)).toEqual(['a is not in the archive.']);
    expect(worse(new Map([['b', counts(1, 0, 0)]]), new Map())).toEqual(['b has no expected counts.']);
  });
});

describe('a scenario is asked of the gateway', () => {
  let maps: ServedMaps;
  beforeAll(async () => {
    maps = await openServedMaps();
  });
  afterAll(() => maps.close());

  it('routes on its map, and judges each row', async () => {
    const rows = [...(await askScenario(scenario!, maps)), ...(await askScenario(tested!, maps))];
    expect(rows.map((each) => classify(each).outcome)).toEqual([
      'agree',
      'direction',
      'wrong',
      'agree',
      'agree',
      'wrong',
    ]);
    expect(rows[0]!.cells.map(({ got }) => got)).toEqual([',,', 'depart,turn right,arrive']);
    expect(rows[3]!.cells.map(({ got }) => got)).toEqual(['x', 'x', 'driving']);
  });

  it('counts rows by file and folder', async () => {
    const { counts, findings } = await judgeFeatures(new Map([['car/town.feature', town]]), maps);
    expect(counts.get('car/town.feature')).toEqual({
      agree: 3,
      direction: 1,
      decision: 0,
      'no concept': 0,
      wrong: 2,
    });
    expect([...totals(counts).keys()]).toEqual(['car', 'all']);
    expect(findings.map(({ line }) => line)).toEqual([7, 7, 7, 32, 32, 32]);
  });

  it('has the ids of the nodes along a route and around a place', async () => {
    const letters = 'abcd'.split('');
    const nodes = letters.map((letter, at) => ({
      id: 11 + at,
      lng: 1 + at / 1_000,
      lat: 1,
      tags: { name: letter },
    }));
    await maps.serve({ nodes, ways: [{ id: 5, refs: [11, 12, 13, 14], tags: { highway: 'primary' } }] }, {});
    const along = async (service: string, query: string): Promise<Json> =>
      (await maps.ask(`${service}/v1/driving/1.0031,1;1.0015,1?${query}`)).json;
    for (const query of ['annotations=nodes', 'annotations=true']) {
      const { routes } = await along('route', query);
      expect(routes[0].legs[0].annotation.nodes).toEqual([14, 13, 12]);
      const { trips } = await along('trip', query);
      expect(trips[0].legs.map(({ annotation }: Json) => annotation.nodes)).toEqual([
        [14, 13, 12],
        [12, 13, 14],
      ]);
      const { matchings } = await along('match', `${query}&radiuses=50;50`);
      expect(matchings[0].legs[0].annotation.nodes).toEqual([14, 13, 12]);
    }
    const { json: near } = await maps.ask('nearest/v1/driving/1.0015,1');
    expect(near.waypoints[0].nodes.toSorted()).toEqual([12, 13]);
  });

  it('has speeds of the testbot, where turns cost nothing', async () => {
    const timed = town
      .replace('"car"', '"testbot"')
      .replace('route    | turns                    |', 'route | time |')
      .replace(/\| a {4}\| d .*\n.*\n.*/, '| a | d | ,, | 140s +-1 |\n| b | c | East,East | 40s +-1 |');
    const [first] = readScenarios(timed, 'testbot/town.feature');
    const rows = await askScenario(first!, maps);
    // 400 m at 18 km/h and 200 m at 12 km/h; a primary road has 36 km/h.
    expect(rows[0]!.cells.map(({ column, got }) => [column, got])).toEqual([
      ['route', ',,'],
      ['time', expect.stringMatching(/^1(39|40)(\.\d)?s$/)],
    ]);
    expect(rows[1]!.cells.map(({ got }) => got)[1]).toMatch(/^(39|40)(\.\d)?s$/);
  });

  it('has the seconds that a script states for a way, or for each piece of it', () => {
    const nodes = [1, 1.001, 1.003].map((lng, at) => ({ id: at + 1, lng, lat: 1 }));
    const ways = [{ id: 9, refs: [1, 2, 3], tags: { highway: 'primary', name: 'abc' } }];
    const kphOf = (script: ProfileScript): number[] =>
      testbotElements({ nodes, ways }, { script, hasModes: false }).ways.map(
        ({ tags }) => 0.8 * Number(tags['maxspeed:forward']),
      );
    // 333.5 m at 10 s, or 111.2 m and 222.3 m at 20 s each.
    expect(kphOf({ wayS: 10 }).map(Math.round)).toEqual([120]);
    expect(kphOf({ segmentS: 20 }).map(Math.round)).toEqual([20, 40]);
    expect(kphOf({ wayKph: 42 }).map(Math.round)).toEqual([42]);
  });

  it('has ferries for rivers, each direction with its time, where modes are compared', () => {
    const nodes = [1, 1.001].map((lng, at) => ({ id: at + 1, lng, lat: 1 }));
    const ways = [{ id: 9, refs: [1, 2], tags: { highway: 'river', name: 'Nile' } }];
    const tagsOf = (hasModes: boolean) =>
      testbotElements({ nodes, ways }, { script: {}, hasModes }).ways.map(({ tags }) => tags);
    const ferry = { route: 'ferry', name: 'Nile' };
    // 111.2 m at 36 km/h downstream and 16 km/h upstream.
    expect(tagsOf(true)).toEqual([
      { ...ferry, oneway: 'yes', duration: '00:00:11' },
      { ...ferry, oneway: '-1', duration: '00:00:25' },
    ]);
    expect(tagsOf(false)).toMatchObject([{ highway: 'unclassified' }]);
    expect(servedModes('driving,river upstream,steps down,route')).toBe('driving,ferry,ferry,ferry');
  });

  it('has turns of the turnbot, which cost by their angle', async () => {
    const timed = town
      .replace('"car"', '"turnbot"')
      .replace('route    | turns                    |', 'route | time |')
      .replace(/\| a {4}\| d .*\n.*\n.*/, '| a | d | ,, | 150s +-1 |\n| a | c | ,East,East | 120s +-1 |');
    const [first] = readScenarios(timed, 'testbot/town.feature');
    const rows = await askScenario(first!, maps);
    // A right angle is ten of twenty seconds; straight on costs nothing.
    expect(rows[0]!.cells[1]!.got).toMatch(/^1(49|50)(\.\d)?s$/);
    expect(rows[1]!.cells[1]!.got).toMatch(/^1(19|20)(\.\d)?s$/);
  });
});

describe('questions in a JSON body', () => {
  it('are asked with the code that the next step states', async () => {
    const lines = ['{"coordinates": []}'];
    const steps = [
      { text: 'I POST to /route/v1/testbot with body', lines },
      { text: 'status code should be InvalidQuery' },
      { text: 'I POST to /table/v1/testbot with body', lines },
      { text: 'response should be flatbuffers' },
    ];
    const posts = postsOf(steps);
    expect(posts).toEqual([{ path: 'route/v1', body: lines[0], code: 'InvalidQuery' }]);
    const asked: unknown[] = [];
    const maps: ServedMaps = {
      serve: () => Promise.resolve(),
      close: () => Promise.resolve(),
      ask: (...question) => {
        asked.push(question);
        return Promise.resolve({ status: 400, json: { code: 'InvalidOptions' } });
      },
    };
    const [answered] = await askPosts(new ScenarioMap({ steps: [] }), posts, maps);
    expect(asked).toEqual([['route/v1/cycling', lines[0]]]);
    expect(answered!.cells).toEqual([
      { column: 'code', want: 'InvalidQuery', got: 'InvalidOptions', isSame: false },
    ]);
  });
});

describe('answers of other services are read as OSRM gives them', () => {
  const map = new ScenarioMap(scenario!);
  const at = (letter: string): number[] => [map.place(letter).lng, map.place(letter).lat];
  const answering = (json: Json): ServedMaps => ({
    serve: () => Promise.resolve(),
    close: () => Promise.resolve(),
    ask: () => Promise.resolve({ status: 200, json }),
  });
  const got = (rows: readonly AskedRow[]): unknown => rows.map(({ cells }) => cells.map((cell) => cell.got));

  it('nearest', async () => {
    const maps = answering({
      code: 'Ok',
      waypoints: [{ location: at('b'), name: 'x', distance: 2.04, nodes: [2, 3] }],
    });
    const rows = await askNearest(
      map,
      [
        ['in', 'out', 'name', 'code', 'snapping_distance'],
        ['a', 'b', 'x', 'Ok', '2.0'],
        ['a', 'c', 'x', 'Ok', '2'],
      ],
      maps,
    );
    expect(got(rows)).toEqual([
      ['b', 'x', 'Ok', '2.0'],
      ['?', 'x', 'Ok', '2.0'],
    ]);
    expect(rows[0]!.request).toMatch(/^nearest\/v1\/driving\/[\d.,]+\?$/);
  });

  it('match', async () => {
    const point = (letter: string, matching: number, index: number) => ({
      location: at(letter),
      matchings_index: matching,
      waypoint_index: index,
      alternatives_count: 0,
    });
    const maps = answering({
      code: 'Ok',
      matchings: [{ legs: [], confidence: 1 }, { legs: [] }],
      tracepoints: [point('a', 0, 0), null, point('b', 1, 0)],
    });
    const rows = await askMatches(
      map,
      [
        ['trace', 'timestamps', 'matchings', 'matchings_index'],
        ['acb', '0 1 9', 'a,b', '0,,1'],
      ],
      maps,
    );
    expect(got(rows)).toEqual([['a,b', '0,,1']]);
    expect(rows[0]!.request).toContain('timestamps=0%3B1%3B9');
  });

  it('trip', async () => {
    const waypoints = ['b', 'a', 'c'].map((letter, index) => ({
      location: at(letter),
      trips_index: 0,
      waypoint_index: [1, 0, 2][index],
    }));
    const maps = answering({ code: 'Ok', trips: [{ legs: [{ duration: 2, distance: 1 }] }], waypoints });
    const rows = await askTrips(
      map,
      [
        ['waypoints', 'trips', 'durations'],
        ['b,a,c', 'abca', '2'],
      ],
      maps,
    );
    expect(got(rows)).toEqual([['abca', '2']]);
  });

  it('table', async () => {
    const json = {
      code: 'Ok',
      durations: [
        [0, null],
        [3, 0],
      ],
      fallback_speed_cells: [[0, 1]],
    };
    const square = [
      ['', 'a', 'b'],
      ['a', '0', ''],
      ['b', '3 +-1', '0'],
    ];
    const rows = await askMatrix('durations')(map, square, answering(json));
    expect(rows.flatMap(({ cells }) => cells.map(({ isSame }) => isSame))).toEqual([true, true, true, true]);
    const wide = await askMatrix('durations')(
      map,
      [
        ['', 'a', 'b'],
        ['c', '0', ''],
      ],
      answering(json),
    );
    expect(wide[0]!.request).toContain('sources=2&destinations=0%3B1');
    const guessed = await askMatrix('fallback_speed_cells')(map, square, answering(json));
    expect(got(guessed)).toEqual([
      ['', 'Y'],
      ['', ''],
    ]);
  });
});

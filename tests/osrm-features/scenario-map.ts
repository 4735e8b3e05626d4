import type { OsmMember } from '#schemas/osm-sink.js';
import type { Fixture, FixtureNode } from '../tile-builder/osm-fixture.js';
import { type ProfileScript, readProfileScript } from './profile-script.js';
import { rowsOf, type Scenario, type Step, type Table } from './read-scenarios.js';

export interface Place {
  readonly lng: number;
  readonly lat: number;
}

interface MadeNode extends Place {
  readonly id: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** Columns of a table of routability that state what is expected; all others are tags. */
const expectation = /^(forw|backw|bothw)\b/;
/** Rows of such a table are ways this many cells apart, so that no row snaps to the way of another. */
const waySpacing = 100;

/** Arguments of OSRM's programs that change no answer of this engine, or only the hour of departure. */
const immaterial =
  /^the (extract|partition|contract|customize) extra arguments "--(verbosity|data_version|small-component-size|parse-conditional-restrictions|time-zone-file|driving-side-index|segment-speed-file \{speeds_file\}"$)/;

/** Steps of the preparation that every map goes through here, in one command. */
const prepared = /^the data has been (saved to disk|extracted|partitioned|contracted|customized)$/;

const servedProfiles: Readonly<Record<string, string>> = {
  car: 'driving',
  bicycle: 'cycling',
  foot: 'walking',
};

const earthRadiusM = 6_378_137;
const flattening = 1 / 298.257223563;
const eccentricity2 = flattening * (2 - flattening);

/** East and north of a place, in metres on the ellipsoid WGS 84. */
function moved({ lng, lat }: Place, eastM: number, northM: number): Place {
  const rad = Math.PI / 180;
  const w2 = 1 - eccentricity2 * Math.sin(lat * rad) ** 2;
  const prime = earthRadiusM / Math.sqrt(w2);
  const meridian = (prime * (1 - eccentricity2)) / w2;
  return {
    lng: lng + eastM / (prime * Math.cos(lat * rad) * rad),
    lat: lat + northM / (meridian * rad),
  };
}

/** The map of a scenario by OSRM's rules: a grid of letters, ways by their letters, tables of tags. */
export class ScenarioMap {
  profile = 'bicycle';
  /** Derived from the map unless a scenario states it. */
  drivingSide: 'left' | 'right' | undefined;
  /** Speeds between nodes, as OSRM's tools read them. */
  speedFile: string | undefined;
  /** What scripts change in the profile. */
  script: ProfileScript = {};
  /** Whether a table of the scenario has a column of modes. */
  readonly hasModes: boolean;
  readonly options: Record<string, string> = {};
  readonly shortcuts: Record<string, string> = {};
  /** Unix milliseconds of the hour for which OSRM is told to read conditions; without one it reads none. */
  departMs: number | undefined;
  /** The zone whose file OSRM reads, by the file's name. */
  zone: string | undefined;
  /** Steps that set up something which this engine does not have: profile files, speed files, arguments. */
  readonly foreign: string[] = [];
  readonly ways: { readonly id: number; readonly refs: number[]; readonly tags: Record<string, string> }[] =
    [];
  readonly relations: { readonly id: number; readonly members: OsmMember[]; tags: Record<string, string> }[] =
    [];
  readonly nodes: MadeNode[] = [];
  readonly #byLetter = new Map<string, MadeNode>();
  readonly #locations = new Map<string, Place>();
  readonly #wayOf = new Map<string, number>();
  readonly #relationOf = new Map<string, number>();
  #ids = 0;
  gridM = 100;
  #origin: Place = { lng: 1, lat: 1 };

  constructor({ steps }: Pick<Scenario, 'steps'>) {
    this.hasModes = steps.some(({ table }) => table?.[0]?.includes('modes') === true);
    for (const step of steps) this.#read(step);
  }

  #read({ text, table = [], lines = [] }: Step): void {
    const argumentsOf = (step: RegExp): string[] | undefined => step.exec(text)?.slice(1);
    const grid = argumentsOf(/^a grid size of ([0-9.]+) meters$/);
    const origin = argumentsOf(/^the origin ([-+.0-9]+),([-+.0-9]+)$/);
    const profile = argumentsOf(/^the profile "(.+)"$/);
    const script = argumentsOf(/^the profile file(?: "(.+)" initialized with)?$/);
    const now = argumentsOf(/--parse-conditionals-from-now=(\d+)/);
    const removed = argumentsOf(/^node "([a-z])" is removed from OSM data$/);
    if (now !== undefined) {
      this.departMs = 1_000 * Number(now[0]);
      this.zone = /\/([a-z]+)\.geojson/.exec(text)?.[1];
    }
    if (grid !== undefined) this.gridM = Number(grid[0]);
    else if (origin !== undefined) this.#origin = { lng: Number(origin[0]), lat: Number(origin[1]) };
    // OSRM crosses areas in a profile of their own, which is that of walkers otherwise.
    else if (profile !== undefined) this.profile = profile[0]!.replace(/_area$/, '');
    else if (script !== undefined) {
      this.#readScript(text, script[0], lines);
    } else if (removed !== undefined) this.nodes.splice(this.nodes.indexOf(this.#node(removed[0]!)), 1);
    else if (text === 'the node map') this.#drawNodes(lines);
    else if (text === 'the node locations') this.#placeNodes(table);
    else if (text === 'the nodes') this.#tagNodes(table);
    else if (/^the ways( with locations)?$/.test(text)) this.#addWays(table);
    else if (text === 'the relations') this.#addRelations(table);
    else if (text === 'the query options') for (const [key, value] of table) this.options[key!] = value!;
    else if (text === 'skip waypoints') this.options['skip_waypoints'] = 'true';
    else if (text === 'the shortcuts')
      for (const { key, value } of rowsOf(table)) this.shortcuts[key!] = value!;
    else if (text === 'routability should be') this.#addTestedWays(table);
    else if (text === 'the speed file') this.#readSpeedFile(text, lines);
    else if (/^(the|data) /.test(text) && !immaterial.test(text) && !prepared.test(text))
      this.foreign.push(text);
  }

  #readScript(text: string, profile: string | undefined, lines: readonly string[]): void {
    const { script, isWhole } = readProfileScript(lines);
    if (!isWhole) this.foreign.push(text);
    this.profile = profile ?? script.base ?? this.profile;
    this.script = { ...this.script, ...script };
    this.drivingSide = script.drivingSide ?? this.drivingSide;
    if (script.continueStraight !== undefined)
      this.options['continue_straight'] = String(script.continueStraight);
    if (script.exclude !== undefined) this.options['exclude'] = script.exclude;
    if (script.topSpeed !== undefined) this.options['top_speed'] = script.topSpeed;
    if (script.cardinalDirections !== undefined)
      this.options['cardinal_directions'] = String(script.cardinalDirections);
  }

  /** A line with an empty rate changes times, but not the choice of roads, which is one thing here. */
  #readSpeedFile(text: string, lines: readonly string[]): void {
    if (lines.some((line) => /^[^,]+,[^,]+,[^,]+,\s*(,|$)/.test(line))) this.foreign.push(text);
    this.speedFile = lines.join('\n');
  }

  /** The profile in the address of a request. */
  get servedProfile(): string {
    return servedProfiles[this.profile] ?? 'driving';
  }

  /** Column and row of the grid; rows are counted from the north. */
  onGrid(column: number, row: number): Place {
    return moved(this.#origin, column * this.gridM, -row * this.gridM);
  }

  /** The start and the end of the way that a row of a table of routability tests. */
  testedEnds(row: number): [Place, Place] {
    return [this.onGrid(1 + waySpacing * row, 0), this.onGrid(3 + waySpacing * row, 0)];
  }

  #drawNodes(rows: readonly string[]): void {
    for (const [row, text] of rows.entries())
      for (const [column, letter] of text.split('').entries()) {
        // Two characters are one cell wide.
        const place = this.onGrid(column / 2, row);
        if (/[a-z]/.test(letter)) this.#addNode(letter, place);
        else if (/[0-9]/.test(letter)) this.#locations.set(letter, place);
      }
  }

  #placeNodes(table: Table): void {
    for (const { node, lat, lon, id } of rowsOf(table)) {
      const place = { lng: Number(lon), lat: Number(lat) };
      if (/[a-z]/.test(node!)) this.#addNode(node!, place, Number(id) || undefined);
      else this.#locations.set(node!, place);
    }
  }

  #addNode(letter: string, place: Place, id = this.#newId()): void {
    const node = { id, ...place, tags: { name: letter } };
    this.nodes.push(node);
    this.#byLetter.set(letter, node);
  }

  #newId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  #node(letter: string): MadeNode {
    const node = this.#byLetter.get(letter);
    if (node === undefined) throw new Error(`There is no node ${letter}.`);
    return node;
  }

  #tagNodes(table: Table): void {
    for (const { node, ...tags } of rowsOf(table)) {
      const made = this.#node(node!);
      for (const [key, value] of Object.entries(tags))
        if (key === 'id') Object.assign(made, { id: Number(value) });
        else if (value !== '') Object.assign(made.tags, { [key]: value });
    }
  }

  #addWays(table: Table): void {
    for (const { nodes, ...columns } of rowsOf(table)) {
      const letters = nodes!.split('');
      const tags: Record<string, string> = { highway: 'primary', ...columns };
      if (columns['highway'] === '(nil)') delete tags['highway'];
      const { name } = columns;
      if (name === undefined) tags['name'] = nodes!;
      else if (name === '(nil)' || name === '""' || name === "''") delete tags['name'];
      const id = this.#newId();
      this.ways.push({ id, refs: letters.map((letter) => this.#node(letter).id), tags: withoutEmpty(tags) });
      this.#wayOf.set(nodes!, id);
    }
  }

  #addRelations([header = [], ...rows]: Table): void {
    for (const row of rows) {
      const id = this.#newId();
      const members: OsmMember[] = [];
      const tags: Record<string, string> = {};
      for (const [at, key] of header.entries()) {
        const value = row[at] ?? '';
        const [, type, role = ''] = /^(node|way|relation)(?::(.*))?$/.exec(key) ?? [];
        if (type === undefined) {
          tags[key] = value;
          if (key.includes('name')) this.#relationOf.set(value, id);
        } else
          for (const member of value.split(',').map((each) => each.trim()))
            members.push({ type: type as OsmMember['type'], id: this.#member(type, member), role });
      }
      this.relations.push({ id, members, tags: withoutEmpty(tags) });
    }
  }

  #member(type: string, name: string): number {
    if (type === 'node') return this.#node(name).id;
    const known = type === 'way' ? this.#wayOf : this.#relationOf;
    const id = known.get(name) ?? known.get(name.split('').reverse().join(''));
    if (id === undefined) throw new Error(`There is no ${type} ${name}.`);
    return id;
  }

  /** One way of five nodes for each row, in a line from west to east. */
  #addTestedWays(table: Table): void {
    for (const [row, columns] of rowsOf(table).entries()) {
      const tags: Record<string, string> = { highway: 'primary' };
      const inMiddle: Record<string, string> = {};
      for (const [key, value] of Object.entries(columns)) {
        if (value === '' || expectation.test(key)) continue;
        const ofNode = /^node\/(.*)$/.exec(key)?.[1];
        if (ofNode !== undefined) {
          if (value !== '(nil)') inMiddle[ofNode] = value;
        } else if (value === '(nil)') delete tags[key];
        else tags[key] = value;
      }
      tags['name'] = `w${row}`;
      const refs: number[] = [];
      for (const [at, letter] of 'abcde'.split('').entries()) {
        const id = this.#newId();
        const place = this.onGrid(at + waySpacing * row, 0);
        const more = at === 2 ? inMiddle : {};
        this.nodes.push({ id, ...place, tags: { name: `${letter}${row}`, ...more } });
        refs.push(id);
      }
      this.ways.push({ id: this.#newId(), refs, tags });
    }
  }

  /** The place of a letter or a digit. */
  place(name: string): Place {
    const place = /[a-z]/.test(name) ? this.#byLetter.get(name) : this.#locations.get(name);
    if (place === undefined) throw new Error(`There is no place ${name}.`);
    return place;
  }

  /** The letter whose node is within a quarter of a cell of the place; `_` for none. */
  letterAt([lng, lat]: readonly [number, number]): string {
    const reach = (0.25 * this.gridM) / 111_226;
    for (const [letter, node] of this.#byLetter)
      if (Math.abs(node.lng - lng) <= reach && Math.abs(node.lat - lat) <= reach) return letter;
    return '_';
  }

  /** `a,b` for the ids of two nodes. */
  lettersOf(ids: readonly number[]): string {
    const letter = (id: number): string => this.nodes.find((node) => node.id === id)?.tags['name'] ?? '?';
    return ids.map(letter).join(',');
  }

  elements(): Fixture {
    const ascending = (a: { readonly id: number }, b: { readonly id: number }): number => a.id - b.id;
    const nodes: FixtureNode[] = this.nodes.map(({ id, lng, lat, tags }) => ({ id, lng, lat, tags }));
    return { nodes: nodes.toSorted(ascending), ways: this.ways, relations: this.relations };
  }
}

/** OSRM reads a tag without a value as one that is not there. */
const withoutEmpty = (tags: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== ''));

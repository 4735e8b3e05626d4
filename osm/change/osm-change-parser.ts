import { SaxesParser } from 'saxes';
import type { OsmMember } from '#schemas/osm-sink.js';
import { isElementId } from '../read/element-id.js';
import { changeLimits } from '../read/limits.js';
import { parseDegreesE7 } from '../read/parse-degrees.js';
import type { ChangedNode, ChangedRelation, ChangedWay, OsmChange } from './osm-change.js';

type Attributes = Readonly<Record<string, string>>;
type Kind = 'node' | 'way' | 'relation';

interface OpenElement {
  readonly kind: Kind;
  readonly id: number;
  readonly isGone: boolean;
  readonly lngE7: number;
  readonly latE7: number;
  readonly tags: Map<string, string>;
  readonly refs: number[];
  readonly members: OsmMember[];
}

const kinds: readonly string[] = ['node', 'way', 'relation'] satisfies Kind[];
const actions = ['create', 'modify', 'delete'];
/** Elements that some writers add to the changes. */
const asides = ['bounds', 'note', 'meta'];

/**
 * Reads OsmChange from text that comes in pieces: `<osmChange>` with `create`, `modify` and `delete` of
 * nodes, ways and relations. Throws an `Error` at the first fault; `where` gives its position.
 */
export class OsmChangeParser {
  readonly #nodes = new Map<number, ChangedNode | null>();
  readonly #ways = new Map<number, ChangedWay | null>();
  readonly #relations = new Map<number, ChangedRelation | null>();
  readonly #xml = new SaxesParser();
  /** Names of the open tags. */
  readonly #path: string[] = [];
  #element: OpenElement | undefined;
  #elements = 0;
  #silent = 0;

  constructor() {
    this.#xml.on('xmldecl', ({ encoding }) => {
      if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
        throw new Error(`it is written in ${encoding} and not in UTF-8`);
    });
    this.#xml.on('opentag', ({ name, attributes }) => {
      this.#silent = 0;
      this.#open(name, attributes);
      if (this.#path.push(name) > changeLimits.depthMax) throw new Error('tags in tags without end');
    });
    this.#xml.on('closetag', () => {
      this.#silent = 0;
      this.#path.pop();
      if (this.#path.length === 2 && this.#element !== undefined) this.#close(this.#element);
    });
  }

  get where(): string {
    return `line ${this.#xml.line}, column ${this.#xml.column}`;
  }

  write(text: string): void {
    this.#silent += text.length;
    if (this.#silent > changeLimits.silentCharactersMax + text.length)
      throw new Error(`more than ${changeLimits.silentCharactersMax} characters without a tag`);
    this.#xml.write(text);
  }

  end(): OsmChange {
    this.#xml.close();
    return { nodes: this.#nodes, ways: this.#ways, relations: this.#relations };
  }

  #open(name: string, attributes: Attributes): void {
    const depth = this.#path.length;
    if (depth === 0) {
      if (name !== 'osmChange') throw new Error(`it begins with <${shown(name)}> and not with <osmChange>`);
    } else if (depth === 1) {
      if (!actions.includes(name) && !asides.includes(name)) throw unknown(name, 'osmChange');
    } else if (asides.includes(this.#path[1])) return;
    else if (depth === 2) this.#element = this.#begin(name, attributes);
    else if (depth === 3 && this.#element !== undefined) this.#add(this.#element, name, attributes);
    else throw unknown(name, this.#path.at(-1)!);
  }

  #begin(name: string, attributes: Attributes): OpenElement {
    const action = this.#path[1];
    if (!kinds.includes(name)) throw unknown(name, action);
    if (++this.#elements > changeLimits.elementsMax)
      throw new Error(`more than ${changeLimits.elementsMax} elements`);
    const kind = name as Kind;
    const id = idOf(attributes, 'id', name);
    const isGone = action === 'delete' || attributes['visible'] === 'false';
    const isPlaced = kind === 'node' && !isGone;
    return {
      kind,
      id,
      isGone,
      lngE7: isPlaced ? degrees(attributes, 'lon', 180, id) : 0,
      latE7: isPlaced ? degrees(attributes, 'lat', 90, id) : 0,
      tags: new Map(),
      refs: [],
      members: [],
    };
  }

  #add({ kind, id, tags, refs, members }: OpenElement, name: string, attributes: Attributes): void {
    const element = `${kind} ${id}`;
    if (name === 'tag') {
      const key = textOf(attributes, 'k', element);
      tags.set(key, textOf(attributes, 'v', element));
      if (tags.size > changeLimits.tagsMax) throw tooMany(element, 'tags', changeLimits.tagsMax);
    } else if (name === 'nd' && kind === 'way') {
      refs.push(idOf(attributes, 'ref', element));
      if (refs.length > changeLimits.refsMax) throw tooMany(element, 'nodes', changeLimits.refsMax);
    } else if (name === 'member' && kind === 'relation') {
      const type = attributes['type'] ?? '';
      if (!kinds.includes(type)) throw new Error(`${element} has a member of no known type`);
      const role = textOf(attributes, 'role', element);
      members.push({ type: type as Kind, id: idOf(attributes, 'ref', element), role });
      if (members.length > changeLimits.membersMax)
        throw tooMany(element, 'members', changeLimits.membersMax);
    } else throw unknown(name, kind);
  }

  #close({ kind, id, isGone, lngE7, latE7, tags, refs, members }: OpenElement): void {
    this.#element = undefined;
    if (kind === 'node')
      this.#nodes.set(id, isGone ? null : { lngE7, latE7, tags: tags.size === 0 ? undefined : tags });
    else if (kind === 'way') this.#ways.set(id, isGone ? null : { refs, tags });
    else this.#relations.set(id, isGone ? null : { members, tags });
  }
}

const shown = (text: string): string => text.slice(0, 40);
const unknown = (name: string, inside: string): Error =>
  new Error(`<${shown(name)}> is nothing that stands in <${inside}>`);
const tooMany = (element: string, what: string, max: number): Error =>
  new Error(`${element} has more than ${max} ${what}`);

function idOf(attributes: Attributes, name: string, of: string): number {
  const text = attributes[name] ?? '';
  const id = Number(text);
  if (!/^-?\d{1,15}$/.test(text) || !isElementId(id))
    throw new Error(`${of} with ${name}="${shown(text)}", which is no id`);
  return id;
}

function degrees(attributes: Attributes, name: 'lon' | 'lat', max: number, id: number): number {
  const text = attributes[name] ?? '';
  const e7 = parseDegreesE7(text);
  if (!(Math.abs(e7) <= max * 1e7))
    throw new Error(`node ${id} with ${name}="${shown(text)}", which is not on earth`);
  return e7;
}

function textOf(attributes: Attributes, name: string, element: string): string {
  const text = attributes[name];
  if (text === undefined) throw new Error(`${element} has a tag or member without ${name}`);
  if (text.length > changeLimits.textCharactersMax)
    throw new Error(`${element} has a text of more than ${changeLimits.textCharactersMax} characters`);
  return text;
}

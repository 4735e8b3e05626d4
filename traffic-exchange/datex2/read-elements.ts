import { SaxesParser } from 'saxes';
import { depthMax, elementsMax, feedBytesMax, textCharactersMax } from '../events/limits.js';
import { InvalidFeed } from '../events/road-event.js';

/** An element with its contents; names are without their prefixes. */
export interface Element {
  readonly name: string;
  /** `xsi:type` without its prefix; empty where there is none. */
  readonly type: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own text, trimmed. */
  readonly text: string;
}

interface OpenElement extends Element {
  readonly children: Element[];
  text: string;
}

export interface ElementReader {
  /** Of every element that is not within a collected one. */
  onOpen(element: Element, depth: number): void;
  /** Elements of this name are collected with their contents. */
  readonly collects: string;
  onCollected(element: Element): void;
}

/**
 * Reads XML in one pass and keeps one collected element at a time. Throws `InvalidFeed` for what is not XML,
 * and for a document type: no entity is ever expanded, apart from the five that XML itself has.
 */
export function readElements(text: string, reader: ElementReader): void {
  if (Buffer.byteLength(text) > feedBytesMax)
    throw new InvalidFeed(`It is longer than ${feedBytesMax} bytes.`);
  const xml = new SaxesParser();
  const open: OpenElement[] = [];
  /** Where in `open` the collected element is; -1: nowhere. */
  let collected = -1;
  let elements = 0;
  const refuse = (reason: string): never => {
    throw new InvalidFeed(`${reason} (line ${xml.line}).`);
  };
  xml.on('error', (error) => refuse(`It is not XML: ${error.message.replace(/^\d+:\d+: /, '')}`));
  xml.on('doctype', () => refuse('It has a document type, which is not read'));
  xml.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) refuse('It is not written in UTF-8');
  });
  xml.on('opentag', ({ name, attributes }) => {
    if (open.length === depthMax) refuse(`Its elements are nested deeper than ${depthMax} levels`);
    const typed = attributes['xsi:type'] ?? attributes['type'] ?? '';
    const element: OpenElement = {
      ...{ name: local(name), type: local(typed), attributes },
      children: [],
      text: '',
    };
    if (collected >= 0) {
      if (++elements > elementsMax) refuse(`A ${reader.collects} has more than ${elementsMax} elements`);
      open.at(-1)!.children.push(element);
    } else {
      reader.onOpen(element, open.length);
      if (element.name === reader.collects) {
        collected = open.length;
        elements = 0;
      }
    }
    open.push(element);
  });
  const addText = (piece: string): void => {
    const element = open.at(-1);
    if (collected < 0 || element === undefined) return;
    if (element.text.length + piece.length > textCharactersMax)
      refuse(`A text is longer than ${textCharactersMax} characters`);
    element.text += piece;
  };
  xml.on('text', addText);
  xml.on('cdata', addText);
  xml.on('closetag', () => {
    const element = open.pop()!;
    element.text = element.text.trim();
    if (open.length !== collected) return;
    collected = -1;
    reader.onCollected(element);
  });
  xml.write(text).close();
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The first child of a path of names. */
export function childOf(element: Element | undefined, ...names: readonly string[]): Element | undefined {
  let at = element;
  for (const name of names) at = at?.children.find((child) => child.name === name);
  return at;
}

export const childrenOf = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Text of the first child of a path; undefined where it is missing or empty. */
export function textOf(element: Element | undefined, ...names: readonly string[]): string | undefined {
  const text = childOf(element, ...names)?.text;
  return text === '' ? undefined : text;
}

/** All elements of a name below one, in the order of the document. */
export function descendantsOf(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...descendantsOf(child, name),
  ]);
}

import compiler from 'osrm-text-instructions';
import languages from 'osrm-text-instructions/languages.js';
import { limits } from '../network/limits.js';
import type { Maneuver } from './maneuver.js';

/** Languages of instructions; the texts are those of the OSRM project. */
export const guidanceLanguages: readonly string[] = languages.supportedCodes;

const instructions = compiler('v5');

export interface SpokenStep {
  readonly name: string;
  readonly ref: string;
  readonly destinations: string;
  readonly exits: string;
  /** Of the rotary that is entered; empty elsewhere. */
  readonly rotaryName: string;
  readonly mode: string;
  readonly maneuver: Maneuver;
  readonly motorway: boolean;
  readonly drivingSide: 'left' | 'right';
}

/** An exact language code, else its main language, else English. */
export function guidanceLanguage(wanted: string | undefined): string {
  if (wanted === undefined) return 'en';
  if (guidanceLanguages.includes(wanted)) return wanted;
  const main = wanted.split('-')[0] ?? '';
  return guidanceLanguages.includes(main) ? main : 'en';
}

export interface Instruction {
  /** Plain text; contains names as on the map. */
  readonly text: string;
  /** Names are escaped, the only tags are `<b>` and `</b>`. */
  readonly html: string;
}

/** Routes use the same roads repeatedly, so texts are cached over all routes. */
const spelled = new Map<string, Instruction>();

export function spell(step: SpokenStep, language: string): Instruction {
  const { name, ref, destinations, exits, rotaryName, mode, motorway, drivingSide } = step;
  const { type, modifier, exit } = step.maneuver;
  // Only the sentence of the departure names a compass direction.
  const bearing = type === 'depart' ? Math.round(step.maneuver.bearingAfter) % 360 : 0;
  const road = `${name}\0${ref}\0${destinations}\0${exits}\0${rotaryName}\0${mode}\0${motorway}\0${drivingSide}`;
  const key = `${language}\0${type}\0${modifier}\0${exit}\0${bearing}\0${road}`;
  let known = spelled.get(key);
  if (known === undefined) {
    known = compile(step, bearing, language);
    if (spelled.size === limits.instructionsKept) spelled.clear();
    spelled.set(key, known);
  }
  return known;
}

function compile(step: SpokenStep, bearing: number, language: string): Instruction {
  const { name, ref, destinations, exits, rotaryName, mode, drivingSide } = step;
  const { type, modifier, exit } = step.maneuver;
  const plain = {
    name,
    ref,
    ...(destinations === '' ? {} : { destinations }),
    ...(exits === '' ? {} : { exits }),
    ...(rotaryName === '' ? {} : { rotary_name: rotaryName }),
    mode,
    driving_side: drivingSide,
    maneuver: {
      type,
      bearing_after: bearing,
      ...(modifier === undefined ? {} : { modifier }),
      ...(exit === undefined ? {} : { exit }),
    },
  };
  const classes = step.motorway ? ['motorway'] : [];
  const html = instructions.compile(language, plain, { classes, formatToken });
  // If nothing was escaped, the two differ only in the tags.
  const isPlain = !/[&<>"']/.test(name + ref + destinations + exits + rotaryName);
  const text = isPlain ? html.replace(/<\/?b>/g, '') : instructions.compile(language, plain, { classes });
  return { text, html };
}

/** Names pass here first as `name` or `ref`, where they are escaped, then together as `way_name`. */
function formatToken(token: string, value: string): string {
  if (token === 'name' || token === 'ref') return escapeHtml(value);
  if (token === 'way_name' || token === 'exit_number' || token === 'modifier' || token === 'direction')
    return value === '' ? value : `<b>${value}</b>`;
  if (token === 'destination' || token === 'exit' || token === 'rotary_name')
    return value === '' ? value : `<b>${escapeHtml(value)}</b>`;
  return escapeHtml(value);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

import compiler from 'osrm-text-instructions';
import languages from 'osrm-text-instructions/languages.js';
import type { Maneuver } from './maneuver.js';

/** Language codes that instructions come in; the texts are those of the OSRM project. */
export const guidanceLanguages: readonly string[] = languages.supportedCodes;

const instructions = compiler('v5');

export interface SpokenStep {
  readonly name: string;
  readonly ref: string;
  readonly destinations: string;
  readonly exits: string;
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

export function spell(step: SpokenStep, language: string): { text: string; html: string } {
  const { type, modifier, exit, bearingAfter } = step.maneuver;
  const plain = {
    name: step.name,
    ref: step.ref,
    ...(step.destinations === '' ? {} : { destinations: step.destinations }),
    ...(step.exits === '' ? {} : { exits: step.exits }),
    mode: step.mode,
    driving_side: step.drivingSide,
    maneuver: {
      type,
      bearing_after: Math.round(bearingAfter) % 360,
      ...(modifier === undefined ? {} : { modifier }),
      ...(exit === undefined ? {} : { exit }),
    },
  };
  const classes = step.motorway ? ['motorway'] : [];
  return {
    text: instructions.compile(language, plain, { classes }),
    html: instructions.compile(language, plain, { classes, formatToken }),
  };
}

/** Names pass here first as `name` or `ref`, where they are escaped, then together as `way_name`. */
function formatToken(token: string, value: string): string {
  if (token === 'name' || token === 'ref') return escapeHtml(value);
  if (token === 'way_name' || token === 'exit_number' || token === 'modifier' || token === 'direction')
    return value === '' ? value : `<b>${value}</b>`;
  if (token === 'destination' || token === 'exit')
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

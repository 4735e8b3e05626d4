import compiler from 'osrm-text-instructions';
import languages from 'osrm-text-instructions/languages.js';
import type { Maneuver } from './maneuver.js';

interface Words {
  readonly 'one in distance': string;
  readonly 'two linked': string;
  readonly 'two linked by distance': string;
}

const wordsOf = (language: string): Words => languages.instructions[language]!.v5.phrase;

const texts = compiler('v5');

/** What the library says of the past in these languages where it means what is still ahead. */
const tenses: Readonly<Record<string, readonly [past: string, future: string]>> = {
  de: ['Sie haben Ihr Ziel erreicht', 'erreichen Sie Ihr Ziel'],
  id: ['Anda telah tiba', 'Anda akan tiba'],
  it: ['Sei arrivato', 'Arriverai'],
  pl: ['Dojechano', 'Dojedziesz'],
  ro: ['Ați ajuns', 'Veți ajunge'],
  tr: ['hedefinize ulaştınız', 'hedefinize ulaşacaksınız'],
};
/** The number of the destination, with the words of some languages that belong to it. */
const number = /\s*ke-\{nth\}|\{nth\}个|ה\{nth\}/;

/** A sentence about an arrival ahead: `You will arrive at your destination, on the right`. */
export function arrivalAhead(language: string, { modifier }: Pick<Maneuver, 'modifier'>): string {
  const { arrive } = languages.instructions[language]!.v5;
  const { upcoming } = (modifier === undefined ? undefined : arrive[modifier]) ?? arrive['default']!;
  const sentence = texts
    .tokenize(language, upcoming.replace(number, ''), { nth: '' })
    .replace(/\s+(?=[,،])/g, '')
    .trim();
  const [past, future] = tenses[language] ?? [];
  return past !== undefined && sentence.startsWith(past) ? future + sentence.slice(past.length) : sentence;
}

/** The same as a sentence of its own, which begins with its subject in German. */
export function arrivalShown(language: string, maneuver: Pick<Maneuver, 'modifier'>): string {
  const sentence = arrivalAhead(language, maneuver).replace(/^erreichen Sie/, 'Sie erreichen');
  const isCapitalized = languages.instructions[language]!.meta.capitalizeFirstLetter;
  return isCapitalized ? sentence.charAt(0).toLocaleUpperCase(language) + sentence.slice(1) : sentence;
}

/** A sentence about a maneuver ahead: `In 400 meters, turn left`. */
export const inDistance = (language: string, distance: string, sentence: string): string =>
  filled(wordsOf(language)['one in distance'], {
    distance,
    instruction_one: within(language, sentence),
  });

/** Two maneuvers in one sentence, the second at once or after a distance. */
export const oneThenOther = (language: string, one: string, other: string, distance?: string): string =>
  filled(wordsOf(language)[distance === undefined ? 'two linked' : 'two linked by distance'], {
    distance: distance ?? '',
    instruction_one: one,
    instruction_two: within(language, other),
  });

const filled = (phrase: string, values: Readonly<Record<string, string>>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

/** Sentences of these languages begin with a capital letter, which they lose within another one. */
function within(language: string, sentence: string): string {
  const isCapitalized = languages.instructions[language]!.meta.capitalizeFirstLetter;
  return isCapitalized ? sentence.charAt(0).toLocaleLowerCase(language) + sentence.slice(1) : sentence;
}

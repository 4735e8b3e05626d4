import languages from 'osrm-text-instructions/languages.js';

interface Words {
  readonly 'one in distance': string;
  readonly 'two linked': string;
  readonly 'two linked by distance': string;
}

const wordsOf = (language: string): Words => languages.instructions[language]!.v5.phrase;

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

/** Abbreviations that maps write out; folded, by language family of the streets. */
const shortForms: Readonly<Record<string, readonly string[]>> = {
  st: ['street', 'saint', 'santa', 'sankt'],
  rd: ['road'],
  ave: ['avenue'],
  av: ['avenue', 'avinguda', 'avenida'],
  blvd: ['boulevard'],
  bd: ['boulevard'],
  dr: ['drive', 'doktor'],
  ln: ['lane'],
  ct: ['court'],
  sq: ['square'],
  pl: ['place', 'platz', 'plaza', 'placa'],
  hwy: ['highway'],
  n: ['north'],
  s: ['south'],
  e: ['east'],
  w: ['west'],
  mt: ['mount'],
  str: ['strasse', 'street', 'strada'],
  strasse: ['str'],
  street: ['st'],
  avenue: ['ave', 'av'],
  c: ['carrer', 'calle'],
  ctra: ['carretera'],
  r: ['rua', 'rue'],
  sta: ['santa'],
  g: ['gatan'],
};

/** `hauptstr` is written out as `hauptstrasse`, `kungsg` as `kungsgatan`. */
const endings: readonly (readonly [short: string, long: string])[] = [
  ['str', 'strasse'],
  ['g', 'gatan'],
  ['v', 'vagen'],
  ['pl', 'platz'],
  ['k', 'katu'],
];

/** Other forms of a word in the index. */
export function spellingsOf(word: string): string[] {
  const found = [...(shortForms[word] ?? [])];
  for (const [short, long] of endings) {
    if (word.length > short.length + 3 && word.endsWith(short))
      found.push(word.slice(0, -short.length) + long);
    if (word.length > long.length + 2 && word.endsWith(long)) found.push(word.slice(0, -long.length) + short);
  }
  return found;
}

/** Languages of the page; the maps at hand are of Sweden, Germany and countries where English is read. */
export const languages = ['en', 'sv', 'de'] as const;
export type Language = (typeof languages)[number];

/** The first of the wanted tags that the pages have, by its language alone; else English. */
export function languageOf(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0];
    const known = languages.find((each) => each === base);
    if (known !== undefined) return known;
  }
  return 'en';
}

/** `?lang=de` comes before what the browser prefers. Outside of a page, as in a test, it is English. */
function wantedHere(): readonly string[] {
  if (typeof location === 'undefined') return [];
  const asked = new URLSearchParams(location.search).get('lang');
  return [...(asked === null ? [] : [asked]), ...navigator.languages];
}

/** Of this page, from its start to its end: another language is another address. */
export const language: Language = languageOf(wantedHere());

/** How amounts and days are written: in English as the browser likes it. */
export const locale: string | undefined = language === 'en' ? undefined : language;

/** The text of the page's language: English, Swedish, German. Each row has all three, or does not compile. */
export function text<Text>(english: Text, swedish: Text, german: Text): Text {
  if (language === 'sv') return swedish;
  return language === 'de' ? german : english;
}

/** Languages whose speakers read another one, where their own is not offered. */
const readers: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' };

/**
 * The offered language for a tag, or undefined if there is none: by lookup, from `de-AT-1996` over `de-AT` to
 * `de` (RFC 4647, 3.4), then in the regional form that people of the tag's script and region use: `zh-CN` and
 * `zh` are `zh-Hans`, `pt` is `pt-BR`, and `zh-TW` is neither. `_` counts as `-`, and upper and lower case
 * are the same.
 */
export function offeredLanguage(asked: string, offered: readonly string[]): string | undefined {
  const tag = canonicalOf(asked.replaceAll('_', '-'));
  if (tag === undefined) return undefined;
  const { language } = new Intl.Locale(tag);
  return (
    lookUp(tag, offered) ??
    (readers[language] === undefined ? undefined : lookUp(readers[language], offered)) ??
    regional(tag, offered)
  );
}

/** Well-formed and in the usual case (RFC 5646); undefined for what is no tag. */
function canonicalOf(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

function lookUp(tag: string, offered: readonly string[]): string | undefined {
  const parts = tag.split('-');
  while (parts.length > 0) {
    const range = parts.join('-');
    if (offered.includes(range)) return range;
    parts.pop();
    // A single letter begins an extension, and means nothing alone.
    if (parts.at(-1)?.length === 1) parts.pop();
  }
  return undefined;
}

function regional(tag: string, offered: readonly string[]): string | undefined {
  const { language, script, region } = new Intl.Locale(tag).maximize();
  const forms = offered
    .map((each) => ({ each, full: new Intl.Locale(each).maximize() }))
    .filter(({ full }) => full.language === language && full.script === script);
  const own = forms.find(({ full }) => full.region === region);
  // Portuguese of all countries but Brazil is that of Portugal, as CLDR's parents of locales have it.
  const usual = new Intl.Locale(language).maximize().region;
  return (own ?? forms.find(({ full }) => full.region !== usual) ?? forms[0])?.each;
}

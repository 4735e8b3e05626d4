export type ParsedQuery =
  | { readonly ok: true; readonly parameters: Record<string, string | string[]> }
  | { readonly ok: false; readonly detail: string };

/**
 * Each parameter once, except those in `lists`, which are arrays. The text is bounded by the limit on the
 * URL.
 */
export function parseQuery(text: string, lists: ReadonlySet<string> = noLists): ParsedQuery {
  const parameters = Object.create(null) as Record<string, string | string[]>;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined || value === undefined) {
      return { ok: false, detail: 'The query string has a malformed percent escape.' };
    }
    if (lists.has(name)) {
      const list = parameters[name];
      if (typeof list === 'object') list.push(value);
      else parameters[name] = [value];
      continue;
    }
    if (name in parameters) {
      return { ok: false, detail: 'The query string has the same parameter twice.' };
    }
    parameters[name] = value;
  }
  return { ok: true, parameters };
}

const noLists: ReadonlySet<string> = new Set();

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return decodeComponent(spaced);
}

export function decodeComponent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

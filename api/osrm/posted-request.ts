import { parseJson } from '#platform/http/server/parse-json.js';
import { messages } from './messages.js';
import type { OsrmRefusal } from './refusal.js';
import type { OsrmRequest } from './service-query.js';

/** Lists of words, which have commas in an address; other lists have semicolons. */
const wordLists = new Set(['annotations', 'exclude']);

/** A question in a JSON body as one in an address, whose parser then checks it. */
export function readPosted(profile: string, body: Uint8Array): OsrmRequest | OsrmRefusal {
  const json = parseJson(body);
  if (!json.ok) return { code: 'InvalidQuery', message: json.detail };
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { code: 'InvalidQuery', message: messages.noObject };
  const texts: Record<string, string> = {};
  for (const [name, each] of Object.entries(value)) {
    const text = Array.isArray(each) ? listText(each, wordLists.has(name) ? ',' : ';') : plainText(each);
    if (text === undefined) return { code: 'InvalidQuery', message: messages.badMember(name.slice(0, 40)) };
    texts[name] = text;
  }
  const { coordinates, ...query } = texts;
  if (coordinates === undefined) return { code: 'InvalidQuery', message: messages.noCoordinates };
  return { params: { profile, coordinates }, query };
}

const plainText = (value: unknown): string | undefined =>
  ['boolean', 'number', 'string'].includes(typeof value) ? String(value) : undefined;

/** An element of a list is empty for `null`, and two with a comma for a pair. */
function listText(list: readonly unknown[], separator: ',' | ';'): string | undefined {
  const texts = list.map((each) => {
    if (each === null) return '';
    return Array.isArray(each) && separator === ';' ? pairText(each) : elementText(each);
  });
  return texts.includes(undefined) ? undefined : texts.join(separator);
}

function pairText(pair: readonly unknown[]): string | undefined {
  const texts = pair.map(elementText);
  return texts.includes(undefined) ? undefined : texts.join(',');
}

/** A separator within an element would make two of it. */
function elementText(value: unknown): string | undefined {
  const text = plainText(value);
  return text !== undefined && /[,;]/.test(text) ? undefined : text;
}

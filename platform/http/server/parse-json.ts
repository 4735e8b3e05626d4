import { isUtf8 } from 'node:buffer';
import { jsonArrayItemsMax, jsonDepthMax } from '../limits.js';

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly detail: string };

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/**
 * JSON from outside: UTF-8, no deeper than 32, no array longer than 1,000 items, no key twice in one object,
 * and no key that could reach a prototype when the value is merged somewhere.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  if (!isUtf8(bytes)) return refuse('The JSON text is not valid UTF-8.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('The body is not valid JSON.');
  }
  const members = { count: 0 };
  const fault = inspect(value, 1, members);
  if (fault !== undefined) return refuse(fault);
  // Each member of an object has exactly one colon outside of strings; duplicate keys leave only one member.
  if (members.count !== colonsOutsideStrings(bytes)) return refuse('A JSON object has the same key twice.');
  return { ok: true, value };
}

function inspect(value: unknown, depth: number, members: { count: number }): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > jsonDepthMax) return `The JSON value is nested deeper than ${jsonDepthMax} levels.`;
  if (Array.isArray(value)) {
    if (value.length > jsonArrayItemsMax) return `A JSON array has more than ${jsonArrayItemsMax} items.`;
    for (const item of value) {
      const fault = inspect(item, depth + 1, members);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) return `A JSON object has the key ${key}, which is not allowed.`;
    members.count += 1;
    const fault = inspect((value as Record<string, unknown>)[key], depth + 1, members);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function colonsOutsideStrings(bytes: Uint8Array): number {
  let count = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === colon) count += 1;
  }
  return count;
}

function refuse(detail: string): ParsedJson {
  return { ok: false, detail };
}

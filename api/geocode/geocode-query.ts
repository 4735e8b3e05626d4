import { limits } from '#geocoding/index/limits.js';
import type { LatLng } from '#schemas/units.js';
import * as messages from './messages.js';

export type Asked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

const ok = <Value>(value: Value): Asked<Value> => ({ ok: true, value });
const refuse = (message: string): { ok: false; message: string } => ({ ok: false, message });

const decimal = /^[+-]?\d{1,3}(?:\.\d{1,15})?$/;

/** `35.9110,14.5020`. */
export function askedLatLng(name: string, text: string): Asked<LatLng> {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 2 || !parts.every((part) => decimal.test(part)))
    return refuse(messages.notLatLng(name));
  const [lat, lng] = parts.map(Number) as [number, number];
  if (Math.abs(lat) > 90) return refuse(messages.badLatitude(name, lat));
  if (Math.abs(lng) > 180) return refuse(messages.badLongitude(name, lng));
  return ok({ lat, lng });
}

/** A text for a search: not empty, and of bounded length. */
export function askedText(name: string, text: string): Asked<string> {
  const trimmed = text.trim();
  if (trimmed === '') return refuse(messages.empty(name));
  if (trimmed.length > limits.queryLengthMax)
    return refuse(messages.tooLong(name, trimmed.length, limits.queryLengthMax));
  return ok(trimmed);
}

/** A tag such as `sv` or `pt-BR`; without one, local names are used. */
export function askedLanguage(text: string | undefined): Asked<string> {
  if (text === undefined) return ok('');
  return /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}$/.test(text) ? ok(text) : refuse(messages.badLanguage);
}

import type { AutocompleteAnswer, GeocodeAnswer } from '#schemas/http/geocode.js';
import type { Position } from '#schemas/http/shapes.js';
import { ask } from '../http/ask.js';
import { autocompletePath, geocodePath } from '../http/paths.js';

export type Suggestion = AutocompleteAnswer['predictions'][number];

const shown = 6;
const text = ({ lat, lng }: Position) => `${lat.toFixed(6)},${lng.toFixed(6)}`;

/** Places that begin like what has been typed, the nearer ones to `near` first. */
export async function suggest(
  input: string,
  near: Position | null,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const query = new URLSearchParams({ input: input.slice(0, 200), limit: String(shown) });
  if (near !== null) query.set('bias', text(near));
  const answer = await ask<AutocompleteAnswer>(`${autocompletePath}?${query}`, { signal });
  return answer?.predictions ?? [];
}

/** The name of a place; null if it has none. */
export async function addressAt(position: Position, signal: AbortSignal): Promise<string | null> {
  const query = new URLSearchParams({ latlng: text(position), limit: '1' });
  const answer = await ask<GeocodeAnswer>(`${geocodePath}?${query}`, { signal });
  return answer?.results[0]?.formatted_address ?? null;
}

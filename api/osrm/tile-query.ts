import { graphTileZoom } from '../http/limits.js';
import type { GraphTileQuestion } from '../ports/graph-tiles.js';
import { messages } from './messages.js';
import { profiles } from './profiles.js';
import type { OsrmRefusal } from './refusal.js';

const form = /^tile\((\d{1,7}),(\d{1,7}),(\d{1,2})\)\.mvt$/;

export interface TileRequest {
  readonly params: { readonly profile: string; readonly tile: string };
  readonly query: Readonly<Record<string, string>>;
}

export function parseTileQuery({ params, query }: TileRequest): GraphTileQuestion | OsrmRefusal {
  const [option] = Object.keys(query);
  if (option !== undefined)
    return { code: 'InvalidQuery', message: messages.unknownOption(option.slice(0, 40), 'tile') };
  const numbers = form.exec(params.tile)?.slice(1).map(Number);
  if (numbers === undefined)
    return { code: 'InvalidQuery', message: messages.badTile(params.tile.slice(0, 40)) };
  const [x, y, z] = numbers as [number, number, number];
  const { least, most } = graphTileZoom;
  if (z < least || z > most || x >= 2 ** z || y >= 2 ** z)
    return { code: 'InvalidOptions', message: messages.noTile(least, most) };
  const mode = profiles.get(params.profile);
  if (mode === undefined) return { code: 'InvalidValue', message: messages.profiles([...profiles.keys()]) };
  return { mode, address: { z, x, y } };
}

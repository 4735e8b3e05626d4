import type { InitializeHook, LoadHook } from 'node:module';
import type { PlantedBug } from './planted-bugs.js';

let bug: PlantedBug;

export const initialize: InitializeHook<PlantedBug> = (given) => {
  bug = given;
};

/**
 * Node.js module hooks: one module gets another text. If the place of a planted bug no longer exists, the
 * bench is wrong.
 */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (!url.endsWith(`/dist/${bug.file}`)) return loaded;
  const source = Buffer.from(loaded.source as Uint8Array).toString();
  if (!source.includes(bug.from)) throw new Error(`${bug.file} does not hold: ${bug.from}`);
  return { ...loaded, source: source.replace(bug.from, () => bug.to) };
};

import type { ObjectStore } from '#platform/object-store/object-store.js';
import { layerIndex, oceanLayer } from '../../format/layers.js';
import { mapTileLimits } from '../../format/limits.js';
import type { MapFeature } from '../../format/map-feature.js';
import { readWorld, type World } from '../features/world.js';
import { SeaTree } from '../sea/sea-tree.js';
import { blocksOfSquare, shallowBlocks, squareZoom } from './plan-squares.js';
import type { SquareInput } from './square-input.js';
import { type BlockPlan, type DrawnSquare, type Square, SquareWriter } from './square-writer.js';

/** The blocks of a square, in manifest order. */
export const blocksOf = ({ root, settings, bounds }: Pick<SquareInput, 'root' | 'settings' | 'bounds'>) =>
  root.z === squareZoom
    ? blocksOfSquare(root, settings.zoomMax)
    : shallowBlocks(bounds, settings.world, settings.zoomMax);

/** Renders a square from its input only: the same input gives the same objects on any machine. */
export async function renderSquare(input: SquareInput, objects: ObjectStore): Promise<DrawnSquare> {
  const { zoomMax, pngZoomMax } = input.settings;
  const writer = new SquareWriter({ objects, zoomMax, pngZoomMax, bounds: input.bounds });
  return writer.write(await squareOf(input, [...blocksOf(input)]));
}

/** The input of a writer. The world atlas is read only when it is drawn. */
export async function squareOf(
  input: SquareInput,
  plans: readonly BlockPlan[],
  order?: Square['order'],
): Promise<Square> {
  const { root, features, settings, sea } = input;
  const ordered = order === undefined ? {} : { order };
  const showsWorld = settings.world && root.z < squareZoom && plans.some(drawsWorld);
  if (!showsWorld) return { root, plans, features, seaOf: sea, ...ordered };
  const world = await readWorld();
  const all = inOrder([...world.features, ...features]);
  return { root, plans, features: all, seaOf: seasOf(world), ...ordered };
}

const worldLayers = (1 << layerIndex.get('boundaries')!) | (1 << layerIndex.get('place_labels')!);

/** A layer with known features contains nothing of the world atlas, except the sea. */
function drawsWorld({ kept, touched, unknown = touched }: BlockPlan): boolean {
  if (kept !== undefined) return false;
  if (touched === undefined) return true;
  for (const layers of touched.values()) if ((layers & (1 << oceanLayer)) !== 0) return true;
  for (const layers of unknown!.values()) if ((layers & worldLayers) !== 0) return true;
  return false;
}

function seasOf(world: World): Square['seaOf'] {
  const trees = new Map<ReturnType<World['seaOf']>, SeaTree>();
  return (zoom) => {
    const polygons = world.seaOf(zoom);
    const tree = trees.get(polygons) ?? SeaTree.of(polygons, mapTileLimits.zoomMax);
    trees.set(polygons, tree);
    return tree;
  };
}

function inOrder(features: MapFeature[]): MapFeature[] {
  const place = ({ drawing }: MapFeature): number => layerIndex.get(drawing.layer)!;
  return features.sort((a, b) => place(a) - place(b) || a.rank - b.rank);
}

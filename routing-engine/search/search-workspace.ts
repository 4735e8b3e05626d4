import type { RoadNetwork } from '../network/road-network.js';
import { RoadSearch } from '../overlay/road-search.js';
import { BoundaryLabels } from './boundary-labels.js';
import { EndCells } from './end-cells.js';
import { OpenCells } from './open-cells.js';

/** Everything a query of one network needs in one thread. */
export interface SearchWorkspace {
  readonly forward: BoundaryLabels;
  readonly backward: BoundaryLabels;
  readonly open: OpenCells;
  readonly starts: EndCells;
  readonly goals: EndCells;
  readonly through: RoadSearch;
}

const workspaces = new WeakMap<RoadNetwork, SearchWorkspace>();

/** One per network and thread; its searches do not interleave. */
export function workspaceOf(network: RoadNetwork): SearchWorkspace {
  let workspace = workspaces.get(network);
  if (workspace === undefined) {
    workspace = {
      forward: new BoundaryLabels(network.arrays.boundaryEdge.length),
      backward: new BoundaryLabels(network.arrays.boundaryEdge.length),
      open: new OpenCells(network),
      starts: new EndCells(network),
      goals: new EndCells(network),
      through: new RoadSearch(network),
    };
    workspaces.set(network, workspace);
  }
  return workspace;
}

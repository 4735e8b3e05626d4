import { perNetwork } from '../network/per-network.js';
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

/** Its searches do not interleave. */
export const workspaceOf = perNetwork(
  (network): SearchWorkspace => ({
    forward: new BoundaryLabels(network.arrays.boundaryEdge.length),
    backward: new BoundaryLabels(network.arrays.boundaryEdge.length),
    open: new OpenCells(network),
    starts: new EndCells(network),
    goals: new EndCells(network),
    through: new RoadSearch(network),
  }),
);

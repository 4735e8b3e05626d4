/** The evidence from one driver who reached an edge. */
export interface Witness {
  readonly driver: number;
  /** False: the driver passed. */
  readonly turnedAway: boolean;
  /** The driver turned away only after standing before the edge, as in a queue. */
  readonly stood: boolean;
  /** The driver who turned away stayed on the previous route, and may not have received the new one. */
  readonly keptPrevious?: boolean;
  readonly atMs: number;
  /** False: the test has used it; it still prevents its driver from counting twice. */
  readonly counts: boolean;
}

/**
 * Field by field: V8 gives each copy that spreads a witness and adds a field a hidden class of its own, which
 * takes twice the memory of the witness.
 */
export const witnessOf = (
  { driver, turnedAway, stood, atMs, keptPrevious }: Omit<Witness, 'counts'>,
  counts: boolean,
): Witness => ({ driver, turnedAway, stood, atMs, counts, ...(keptPrevious && { keptPrevious }) });

/** Nats that one driver adds. */
export interface WitnessWeights {
  readonly turned: number;
  /** Below zero. */
  readonly passed: number;
  /** Of a driver who turned away, but may not know the route. */
  readonly keptPrevious: number;
}

/**
 * The walk over the drivers who came, in the order of event time, since it was last at zero. Drivers in one
 * queue count once.
 */
export function walkOver(
  witnesses: readonly Witness[],
  weights: WitnessWeights,
): { readonly turned: readonly Witness[]; readonly passed: number; readonly nats: number } {
  let turned: Witness[] = [];
  let passed = 0;
  let nats = 0;
  for (const witness of witnesses) {
    if (!witness.counts) continue;
    if (witness.turnedAway) {
      const isSameQueue = witness.stood && turned.some(({ stood }) => stood);
      turned.push(witness);
      if (!isSameQueue) nats += witness.keptPrevious === true ? weights.keptPrevious : weights.turned;
    } else {
      passed++;
      nats += weights.passed;
    }
    if (nats <= 0) {
      turned = [];
      passed = 0;
      nats = 0;
    }
  }
  return { turned, passed, nats };
}

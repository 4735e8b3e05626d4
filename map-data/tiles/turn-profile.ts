/** Costs of turning, seconds. */
export interface TurnProfile {
  /** Of a full turn at a crossing; a straight way on costs nothing, angles between follow a sigmoid. */
  readonly turnS: number;
  /** Factor for turns across oncoming traffic: 1 is symmetric. */
  readonly acrossBias: number;
  readonly uturnS: number;
  /**
   * U-turns are allowed where nothing else is legal and at turning places. False or absent, as in tilesets of
   * earlier builders: at every crossing.
   */
  readonly uturnsAtEndsOnly?: boolean;
  readonly signalS: number;
}

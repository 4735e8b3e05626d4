/**
 * Longest piece of a crossing, metres. It counts as one with the next edge: whichever of the two is closed,
 * the conclusion is wrong by no more than this length. Without such pieces a closed crossing of a dual
 * carriageway is never found.
 */
export const pieceMaxM = 40;

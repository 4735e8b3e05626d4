/** Below this angle, an exit counts as straight if no other is straighter. */
export const STRAIGHT_DEG = 40;
/** Two exits within this angle make a fork. */
export const FORK_DEG = 50;
/** An exit as straight as this is the way on, if no other is within the greater angle. */
export const EXACT_DEG = 5;
export const ASIDE_DEG = 20;
/** A road that keeps its name is the way on if others are twice as far from straight, and by this much. */
export const DISTINCT_DEG = 12;
/** A bend of the road is obvious if all others lie beyond this angle. */
export const ASIDE_OF_BEND_DEG = 90;
/** A lesser road within this angle may be taken for the way on where one's own road bends more. */
export const AHEAD_DEG = 25;
/** Below this angle a road is `straight`. */
export const BESIDE_DEG = 20;
/** From one carriageway onto the other over a crossing, at least. */
export const BACK_DEG = 140;

/** An exit within this angle continues the road, so that it does not end here. */
export const ONWARD_DEG = 60;
/**
 * From here on a bend is a turn where a road branches off. Bearings are stored in steps of 1.4°: a little
 * below 60°.
 */
export const TURN_DEG = 57;
/** Beyond this angle a road comes from behind, so it is not the crossbar of a T. */
export const CROSSBAR_DEG = 125;

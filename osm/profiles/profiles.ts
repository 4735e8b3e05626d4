import { bicycling } from './bicycling.js';
import { driving } from './driving.js';
import type { Profile } from './profile.js';
import { truck } from './truck.js';
import { walking } from './walking.js';

/** In the order of `travelModes`. */
export const profiles: readonly Profile[] = [driving, bicycling, walking, truck];

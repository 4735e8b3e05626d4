import { text } from '../language/language.js';

/** Texts of the steps of a route. Instructions come from the server. */

export const closeStep = (number: number) =>
  text(
    `Close the road of step ${number}`,
    `Stäng vägen i steg ${number}`,
    `Straße von Schritt ${number} sperren`,
  );
export const closeThisRoad = text('Close this road', 'Stäng den här vägen', 'Diese Straße sperren');

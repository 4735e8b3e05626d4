import { text } from '../language/language.js';

/** Texts of the area that is within reach of a place. */

export const title = text('Within reach', 'Inom räckhåll', 'Erreichbar');
export const minutes = (many: number) => text(`${many} min`, `${many} min`, `${many} Min.`);
export const loading = text('Finding what is within reach…', 'Söker räckvidd…', 'Reichweite wird gesucht…');
export const clear = text('Hide', 'Dölj', 'Ausblenden');

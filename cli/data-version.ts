/**
 * The version of what all programs keep in a data folder together. It rises with a change after which an
 * earlier program must not open the folder; SQL has histories of its own.
 */
export const dataVersion = 1;

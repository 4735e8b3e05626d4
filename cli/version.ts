/** Of the whole product; `package.json` says the same, and a test holds them together. */
export const version = '0.1.0';

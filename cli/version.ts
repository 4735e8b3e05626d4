/** The version of the product; `package.json` has the same, and a test compares them. */
export const version = '0.1.0';

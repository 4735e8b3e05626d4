/** Fonts of this device, so that none are fetched. */
export const mapFonts = ['Inter', 'system-ui'];

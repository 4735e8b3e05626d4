import { textHoldsCardData } from '#platform/card-data/find-card-data.js';
import type { DocumentType } from '../psp/psp-dispute.js';
import { jpegTexts, pngTexts } from './image-texts.js';
import { NotSearchable, pdfTexts } from './pdf-texts.js';

/** Amounts with two decimals: in the tables of an invoice, several side by side look like a card number. */
const amounts = /(?<![\d.,])\d{1,3}(?:[.,']?\d{3}){0,2}[.,]\d{2}(?![\d.,])/g;

/**
 * Searches a document for the number or the code of a card: in the text of a PDF and in metadata. Pixels, and
 * letters that are drawn as lines, are not read; docs/card-data.md says so.
 */
export async function searchDocument(
  bytes: Uint8Array,
  type: DocumentType,
): Promise<'nothing' | 'card data' | 'not searchable'> {
  try {
    const texts =
      type === 'application/pdf'
        ? await pdfTexts(bytes)
        : type === 'image/png'
          ? await pngTexts(bytes)
          : jpegTexts(bytes);
    return texts.some((text) => textHoldsCardData(text.replaceAll(amounts, 'x'))) ? 'card data' : 'nothing';
  } catch (error) {
    if (error instanceof NotSearchable) return 'not searchable';
    throw error;
  }
}

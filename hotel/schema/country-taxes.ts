import type { TaxRule } from '../taxes/tax-rule.js';

const vat = (
  percent: string,
  basisPoints: number,
  dates: { readonly from?: string; readonly to?: string } = {},
) => ({ code: 'vat', name: `VAT ${percent} %`, kind: 'vat', basisPoints, ...dates }) as const;

/**
 * What accommodation is taxed with in a whole country. City taxes and sales taxes are local: an operator sets
 * them for a hotel. This text has run in databases and stays as it is; new laws are further migrations,
 * which change `hotel_tax` of the source `country`, too.
 */
const byCountry: Readonly<Record<string, readonly TaxRule[]>> = {
  // Umsatzsteuergesetz 1994, § 10 (2) 3 c.
  AT: [vat('10', 1_000)],
  // Mehrwertsteuergesetz, article 25 (4): the special rate for accommodation, since 2024.
  CH: [vat('3.8', 380, { from: '2024-01-01' })],
  // Umsatzsteuergesetz, § 12 (2) 11.
  DE: [vat('7', 700)],
  // Ley 37/1992, article 91.Uno.2.2.
  ES: [vat('10', 1_000)],
  // Code général des impôts, article 279 a.
  FR: [vat('10', 1_000)],
  // VAT Notice 709/3, hotels and holiday accommodation: the standard rate.
  GB: [vat('20', 2_000)],
  // D.P.R. 633/1972, tabella A, parte III, 120.
  IT: [vat('10', 1_000)],
  // Consumption tax, National Tax Agency: 10 % since October 2019.
  JP: [{ ...vat('10', 1_000, { from: '2019-10-01' }), name: 'Consumption tax 10 %' }],
  // No VAT.
  KW: [],
  // VAT Act (chapter 406), eighth schedule: 7 %. Malta Tourism Authority,
  // mta.com.mt/environmental-contribution: 0.50 EUR for each adult and night, 5.00 at most, until the end of
  // 2025. We have no source for what follows it, so an operator sets that.
  MT: [
    vat('7', 700),
    {
      code: 'environmental-contribution',
      name: 'Environmental contribution',
      kind: 'person-night',
      amountMinor: 50,
      nightsMax: 10,
      from: '2016-06-01',
      to: '2025-12-31',
    },
  ],
  // Belastingdienst: accommodation moves from 9 % to 21 % for nights from 2026 on.
  NL: [vat('9', 900, { to: '2025-12-31' }), vat('21', 2_100, { from: '2026-01-01' })],
  // Mervärdesskattelagen (2023:200), chapter 9, section 5.
  SE: [vat('12', 1_200)],
  // Sales and occupancy taxes are of states, counties and cities.
  US: [],
};

export const countryTaxes = `
INSERT INTO country_tax (country, rules) VALUES
${Object.entries(byCountry)
  .map(([country, rules]) => `  ('${country}', '${JSON.stringify(rules)}')`)
  .join(',\n')};
`;

/**
 * Roughly how many units of a currency a euro buys, in round numbers, so that loaded prices look realistic.
 * It is no exchange rate, and no charge uses it.
 */
const currencies: readonly (readonly [unitsPerEuro: number, codes: string])[] = [
  [2, 'ANG AUD AWG BAM BBD BGN BRL BYN BZD CAD FJD GEL ILS NZD PGK PEN TMT TND TOP WST XCD'],
  [5, 'AED AZN BOB GHS HKD LYD MYR PLN QAR RON SAR'],
  [10, 'BWP CNY DKK GTQ MAD MDL MOP MVR NOK SBD SCR SEK SLE SVC TJS TTD ZMW'],
  [20, 'CUP CZK DOP ERN HNL LSL MKD MRU MXN NAD STN SZL THB TRY TWD UAH UYU ZAR ZWG'],
  [50, 'BTN EGP ETB GMD INR KGS MUR MZN NIO PHP SRD'],
  [100, 'ALL BDT CVE DZD HTG ISK JPY KES LKR LRD NPR RSD RUB VES VUV XPF AFN'],
  [200, 'DJF GYD HUF JMD KMF PKR SSP XAF XOF YER'],
  [500, 'AMD AOA CRC KPW KZT SDG SOS'],
  [1_000, 'ARS CLP IQD KRW NGN RWF'],
  [2_000, 'BIF CDF MMK MNT MWK TZS'],
  [5_000, 'COP KHR MGA PYG SYP UGX'],
  [10_000, 'GNF UZS'],
  [20_000, 'IDR LAK VND'],
  [50_000, 'IRR LBP'],
];

export const priceUnits: readonly (readonly [code: string, unitsPerEuro: number])[] = currencies.flatMap(
  ([units, codes]) => codes.split(' ').map((code) => [code, units] as const),
);
const unitsByCode: ReadonlyMap<string, number> = new Map(priceUnits);

/** 1 where a unit is worth about as much as a euro. */
export const unitsPerEuro = (currency: string): number => unitsByCode.get(currency) ?? 1;

/**
 * Minor-unit digits of the active currencies of ISO 4217 (list one, amendment 177 and earlier).
 * Currencies without an entry in either set have two.
 */
const ZERO = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ");
const THREE = "BHD IQD JOD KWD LYD OMR TND".split(" ");
const FOUR = "CLF UYW".split(" ");
const TWO = (
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT " +
  "BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF " +
  "CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD " +
  "EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD " +
  "HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW " +
  "KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT " +
  "MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK " +
  "NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR " +
  "SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP " +
  "SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU " +
  "UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"
).split(" ");

export const CURRENCIES: ReadonlyMap<string, number> = new Map([
  ...ZERO.map((c) => [c, 0] as const),
  ...TWO.map((c) => [c, 2] as const),
  ...THREE.map((c) => [c, 3] as const),
  ...FOUR.map((c) => [c, 4] as const),
]);

/** Decimals of a currency's amounts, or null for a code that ISO 4217 does not list. */
export function scaleOf(currency: string): number | null {
  return CURRENCIES.get(currency) ?? null;
}

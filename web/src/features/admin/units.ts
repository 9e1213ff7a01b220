/** How many of a currency's smallest units make one. */
const decimals: Readonly<Record<string, number>> = { SOL: 9, USDC: 6 }

/** 103950000 lamports → "0.10395 SOL". Written digit by digit: what came in is shown to the last of its units. */
export function unitsText(units: number, currency: string): string {
  const places = decimals[currency]
  if (places === undefined) return `${units} ${currency}`
  const digits = String(units).padStart(places + 1, '0')
  const after = digits.slice(-places).replace(/0+$/, '')
  return `${digits.slice(0, -places)}${after && `.${after}`} ${currency}`
}

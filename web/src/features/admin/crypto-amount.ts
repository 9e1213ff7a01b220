/** Decimal places of each currency. */
const decimals: Readonly<Record<string, number>> = { SOL: 9, USDC: 6 }

/** 103950000 lamports → "0.10395 SOL". Formats digits as text, so that no unit is rounded away. */
export function cryptoAmount(units: number, currency: string): string {
  const places = decimals[currency]
  if (places === undefined) return `${units} ${currency}`
  const digits = String(units).padStart(places + 1, '0')
  const after = digits.slice(-places).replace(/0+$/, '')
  return `${digits.slice(0, -places)}${after && `.${after}`} ${currency}`
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The base58 text of some bytes, as Solana writes addresses and signatures. */
export function base58(bytes: Uint8Array): string {
  let number = 0n
  for (const byte of bytes) number = number * 256n + BigInt(byte)
  let digits = ''
  for (; number > 0n; number /= 58n) digits = alphabet.charAt(Number(number % 58n)) + digits
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + digits
}

/** The bytes of a base58 text, without leading zeros beyond its leading ones. Throws on other characters. */
export function fromBase58(text: string): Uint8Array {
  let number = 0n
  for (const digit of text) {
    const value = alphabet.indexOf(digit)
    if (value < 0) throw new RangeError(`not base58: ${digit}`)
    number = number * 58n + BigInt(value)
  }
  const bytes: number[] = []
  for (; number > 0n; number /= 256n) bytes.unshift(Number(number % 256n))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Uint8Array.from([...Array.from({ length: zeros }, () => 0), ...bytes])
}

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

const letters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ß: 'ss', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th' }

/** Text without case, width, accents, hyphens, apostrophes and invisible characters; katakana as hiragana. */
export function fold(text: string): string {
  return text
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]|\p{Cf}|['’‘ʼ`‐‑‒–—-]/gu, '')
    .toLowerCase()
    .replaceAll(/[øłđðßıæœþ]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .replaceAll(/[ァ-ヶ]/g, (kana) => String.fromCodePoint((kana.codePointAt(0) ?? 0) - 0x60))
}

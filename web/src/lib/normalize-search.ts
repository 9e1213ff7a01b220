const letters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ß: 'ss', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th' }

/**
 * Traditional characters, each before its simplified one: those of the page and category names. The server's table
 * (internal/searchtext/simplified.txt) is too big for the browser.
 */
const simplified = new Map(
  '幫帮帳账戶户賬账側侧動动單单圖图場场夢梦寶宝導导庫库彔录後后態态査查檢检檯台欄栏欖榄籃篮綫线線线臺台訂订記记証证證证迴回邊边錄录録录開开險险頁页額额颱台驗验結结係系繫系'
    .match(/../gu)
    ?.map(([traditional = '', simple = '']) => [traditional, simple]),
)

/**
 * Removes differences of case, width, accents, hyphens, apostrophes and invisible characters, replaces katakana by
 * hiragana, and simplifies the Chinese characters of our own names.
 */
export function normalizeSearch(text: string): string {
  return text
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]|\p{Cf}|['’‘ʼ`‐‑‒–—-]/gu, '')
    .toLowerCase()
    .replaceAll(/[øłđðßıæœþ]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .replaceAll(/[ァ-ヶ]/g, (kana) => String.fromCodePoint((kana.codePointAt(0) ?? 0) - 0x60))
    .replaceAll(/\p{Script=Han}/gu, (character) => simplified.get(character) ?? character)
}

// The server writes its validation errors in English. These are their Chinese texts; unknown messages stay in English.

type Translation = readonly [message: RegExp, text: (...values: string[]) => string]

const fieldErrors: readonly Translation[] = [
  [/^must be a name, not a number or a price$/, () => '须为名称，不能只是数字或价格。'],
  [/^contains the replacement character .+: enter the address again$/, () => '地址中有字符已丢失，请重新输入。'],
  [/^contains the replacement character/, () => '有字符已丢失，请将文件另存为 UTF-8。'],
  [
    /^contains characters in the wrong encoding, such as (.+): save/,
    (text) => `有乱码，如 ${text}，请将文件另存为 UTF-8。`,
  ],
  [/^contains the HTML entity (.+): use/, (text) => `含 HTML 实体 ${text}，请直接写该字符。`],
  [/^contains the invisible character (.+)$/, (code) => `含不可见字符 ${code}。`],
  [/^must start with https:\/\/, or be a path on this server$/, () => '须以 https:// 开头，或为本站路径。'],
  [/^is required with a certificate number$/, () => '填写了证书编号，请选择评级机构。'],
  [
    /^is required with a grader: (\d+) to (\d+) digits$/,
    (least, most) => `请填写证书编号，${least} 至 ${most} 位数字。`,
  ],
  [/^expected string to be (\d+) to (\d+) digits$/, (least, most) => `须为 ${least} 至 ${most} 位数字。`],
  [/^is already used by item (.+)$/, (item) => `已是物品 ${item} 的证书编号。`],
  [/^must contain only an address/, () => '地址中混入了价格或其他文字。'],
  [/^differs from the grader in the name$/, () => '与名称中的评级机构不符。'],
  [/^differs from the grade in the name$/, () => '与名称中的评级不符。'],
  [/^must be at least (\d+), the number already sold$/, (sold) => `已售出 ${sold} 包，不能更少。`],
  [/^removes more than is left$/, () => '取出的数量超过库存。'],
  [/^is required, because the item has no stock yet$/, () => '物品还没有库存，请选择卡包。'],
  [/^is required: where the value comes from$/, () => '请注明估值来源。'],
  [/^is required, because the value changes$/, () => '请说明改动原因。'],
  [/^must add up to 1, not (.+)$/, (sum) => `合计 ${sum}，须为 1。`],
  [/^The accepted loss of (.+) is used up\.$/, (loss) => `可接受的亏损 $${loss} 已用完。`],
  [/^must be from (-\d+) to (\d+), and not 0$/, (least, most) => `须在 ${least} 到 ${most} 之间，且不为 0。`],
  [/^must be from (\d+) to (\d+)$/, (least, most) => `须在 ${least} 到 ${most} 之间。`],
]

/** Errors of a row of an import, or of the whole file. */
const importErrors: readonly Translation[] = [
  [/^is missing: every item needs a value$/, () => '缺少估值。'],
  [/^is missing$/, () => '缺失。'],
  [/^is also the id in row (\d+)$/, (row) => `与第 ${row} 行重复。`],
  [/^is not an amount in dollars or cents$/, () => '不是金额。'],
  [/^is ambiguous/, () => '无法分辨美元与美分：美元请加 $ 或写两位小数，美分请写整数。'],
  [/^has fractions of a cent$/, () => '不足一美分的部分无法保存。'],
  [/^must be more than 0$/, () => '须大于 0。'],
  [/^must be at most (\$[\d.]+)$/, (most) => `最多 ${most}。`],
  [/^must be true or false$/, () => '须为 true 或 false。'],
  [/^must not be combined with baseValueCents$/, () => '不能与 baseValueCents 同时填写。'],
  [/^must be 1 to 64 .+, digits and hyphens$/, () => '须为 1 至 64 个小写字母、数字或连字符。'],
  [/^must contain only an address/, () => '地址中混入了价格或其他文字。'],
  [/^must have at most (\d+) characters$/, (most) => `最多 ${most} 个字符。`],
  [/^is also the certificate in row (\d+)$/, (row) => `证书与第 ${row} 行相同。`],
  [/^is already used by item (.+)$/, (item) => `证书已属于物品 ${item}。`],
  [/^has (".*") in a column without a name$/, (text) => `没有列名的一列里有 ${text}。`],
  [/^is required, because the import changes values$/, () => '请说明估值改动原因。'],
  [/^contains the replacement character .+: enter the address again$/, () => '地址中有字符已丢失，请重新输入。'],
  [/^contains the replacement character/, () => '有字符已丢失，请将文件另存为 UTF-8。'],
  [
    /^contains characters in the wrong encoding, such as (.+): save/,
    (text) => `有乱码，如 ${text}，请将文件另存为 UTF-8。`,
  ],
  [/^contains the HTML entity (.+): use/, (text) => `含 HTML 实体 ${text}，请直接写该字符。`],
  [/^contains the invisible character (.+)$/, (code) => `含不可见字符 ${code}。`],
  [/^must not contain line breaks$/, () => '不能换行。'],
  [/^is not UTF-8$/, () => '不是 UTF-8 文本。'],
  [/^has (\d+) cells, but the header has (\d+)$/, (has, wants) => `有 ${has} 列，而首行有 ${wants} 列。`],
  [/^has an unclosed quote/, () => '引号没有闭合，或闭合后还有文字。'],
  [/^is not an object$/, () => '不是对象。'],
  [/^has a field more than once$/, () => '有字段重复。'],
  [/^must be a string or a number$/, () => '须为文本或数字。'],
  [/^must be one of (.+)$/, (names) => `须为其中之一：${names}。`],
  [/^must be from 1 to 10, in steps of 0.5$/, () => '须在 1 到 10 之间，以 0.5 为一级。'],
  [/^must be PSA or CGC$/, () => '须为 PSA 或 CGC。'],
  [/^must be a name, not a number or a price$/, () => '须为名称，不能只是数字或价格。'],
  [/^must start with https:\/\/, or be a path on this server$/, () => '须以 https:// 开头，或为本站路径。'],
  [/^is required with a certificate number$/, () => '有证书编号，须填写评级机构。'],
  [/^is required with a number in the set$/, () => '请先填写套系，或删除编号。'],
  [/^is required with a grader: (\d+) to (\d+) digits$/, (least, most) => `证书编号须为 ${least} 至 ${most} 位数字。`],
  [/^differs from the grader in the name$/, () => '与名称中的评级机构不符。'],
  [/^differs from the grade in the name$/, () => '与名称中的评级不符。'],
  [/^has a field whose name is too long: (".*")$/, (name) => `字段名过长：${name}。`],
  [/^is not UTF-8, or has a field more than once$/, () => '不是 UTF-8 文本，或有字段重复。'],
  [
    /^has more than (\d+) MiB of rejected rows/,
    (most) => `被拒绝的行过多，超过 ${most} MiB。请检查各列，或在服务器上运行 kaibao catalogue import --rejects。`,
  ],
  [/^is empty: the first row must contain the column names$/, () => '文件是空的，首行须为列名。'],
  [/^must be UTF-8 text with the column names in the first row$/, () => '须为 UTF-8 文本，首行为列名。'],
  [/^has the column (.+) more than once$/, (name) => `列 ${name} 重复。`],
  [/^has no column (\w+) \(is (".*") misspelled\?\)$/, (name, near) => `缺少列 ${name}，${near} 是否写错？`],
  [/^has no column (\w+)$/, (name) => `缺少列 ${name}。`],
  [/^row (\d+) has more than (\d+) bytes$/, (row, most) => `第 ${row} 行过长，超过 ${most} 字节。`],
  [/^must be a JSON array of items$/, () => '须为由物品组成的 JSON 数组。'],
  [/^has text after the end of the array$/, () => 'JSON 数组结束后还有内容。'],
  [
    /^is not valid JSON after row (\d+): see byte (\d+)$/,
    (row, byte) => `第 ${row} 行之后不是有效的 JSON，见第 ${byte} 字节。`,
  ],
  [/^has more than (\d+) unknown fields, such as (".*")$/, (most, name) => `未知字段超过 ${most} 个，如 ${name}。`],
]

/** The Chinese text of a field's error. `rarities` names the tiers. */
export function fieldErrorInChinese(message: string, rarities: Readonly<Record<string, string>>): string {
  return missingTiers(message, rarities) ?? translate(message, fieldErrors)
}

export function importErrorInChinese(message: string): string {
  return translate(message, importErrors)
}

function translate(message: string, translations: readonly Translation[]): string {
  for (const [pattern, text] of translations) {
    const match = pattern.exec(message)
    if (match) return text(...match.slice(1))
  }
  return message
}

function missingTiers(message: string, rarities: Readonly<Record<string, string>>): string | undefined {
  const [, names] = /^contains no item of the tier ([^;]+)(?:; left out, .+)?$/.exec(message) ?? []
  return (
    names &&
    `所选系列中没有${names
      .split(' or ')
      .map((name) => rarities[name] ?? name)
      .join('、')}物品。`
  )
}

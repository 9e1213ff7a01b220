import { number } from '@/lib/format'
import type { importing as en } from './en'

/** The server's reasons for refusing a row. */
const reasons: readonly (readonly [reason: RegExp, text: (...told: string[]) => string])[] = [
  [/^is missing: an item has a value$/, () => '缺少价值。'],
  [/^is missing$/, () => '缺失。'],
  [/^is that of row (\d+) already$/, (row) => `与第 ${row} 行重复。`],
  [/^is not an amount of dollars or cents$/, () => '不是金额。'],
  [/^may be dollars or cents/, () => '无法分辨美元与美分：美元请加 $ 或写两位小数，美分请写整数。'],
  [/^is not a whole number of cents$/, () => '不足一美分的部分无法保存。'],
  [/^must be more than nothing$/, () => '须大于 0。'],
  [/^must be at most (\$[\d.]+)$/, (most) => `最多 ${most}。`],
  [/^must be true or false$/, () => '须为 true 或 false。'],
  [/^must not be given with baseValueCents$/, () => '不能与 baseValueCents 同时填写。'],
  [/^must be 1 to 64 small letters, digits and hyphens$/, () => '须为 1 至 64 个小写字母、数字或连字符。'],
  [/^must be an address and no more/, () => '地址中混入了价格或其他文字。'],
  [/^must have at most (\d+) characters$/, (most) => `最多 ${most} 个字符。`],
  [/^is the certificate of row (\d+) already$/, (row) => `证书与第 ${row} 行相同。`],
  [/^is the certificate of item (.+) already$/, (item) => `证书已属于物品 ${item}。`],
  [/^has (".*") in a column without a name$/, (text) => `没有列名的一列里有 ${text}。`],
  [/^has a character that was lost/, () => '有字符已丢失，请将文件另存为 UTF-8。'],
  [/^has characters of another encoding, such as (.+): save/, (text) => `有乱码，如 ${text}，请将文件另存为 UTF-8。`],
  [/^has the HTML entity (.+): write/, (text) => `含 HTML 实体 ${text}，请直接写该字符。`],
  [/^has the invisible character (.+)$/, (code) => `含不可见字符 ${code}。`],
  [/^must be on one line$/, () => '不能换行。'],
  [/^is not UTF-8$/, () => '不是 UTF-8 文本。'],
  [/^has (\d+) cells where the first row has (\d+)$/, (has, wants) => `有 ${has} 格，而首行有 ${wants} 格。`],
  [/^has a quote that is not closed/, () => '引号没有闭合，或闭合后还有文字。'],
  [/^is no object$/, () => '不是对象。'],
  [/^gives a field twice$/, () => '有字段重复。'],
  [/^must be a text or a number$/, () => '须为文本或数字。'],
  [/^must be one of (.+)$/, (names) => `须为其中之一：${names}。`],
  [/^must be from 1 to 10, in steps of 0.5$/, () => '须在 1 到 10 之间，以 0.5 为一级。'],
  [/^must be PSA or CGC$/, () => '须为 PSA 或 CGC。'],
  [/^must be a name, not a number or a price$/, () => '须为名称，不能只是数字或价格。'],
  [/^must begin with https:\/\/ or be a path of this server$/, () => '须以 https:// 开头，或为本站路径。'],
  [/^must be given with a certificate number$/, () => '有证书编号，须填写评级机构。'],
  [
    /^must be given with a certificate: (\d+) to (\d+) digits$/,
    (least, most) => `证书编号须为 ${least} 至 ${most} 位数字。`,
  ],
  [/^is not the grader that the name tells$/, () => '与名称中的评级机构不符。'],
  [/^is not the grade that the name tells$/, () => '与名称中的评级不符。'],
]

function reasonOf(why: string): string {
  for (const [reason, text] of reasons) {
    const told = reason.exec(why)
    if (told) return text(...told.slice(1))
  }
  return why
}

export const importing: typeof en = {
  open: '导入',
  export: '导出',
  title: '导入物品',
  text: 'CSV 或 JSON 文件，按编号新增或更改物品。确认预览之前不会有任何改动。',
  choose: '选择文件，或拖放到此处',
  chooseAnother: '另选文件',
  formats: 'CSV 或 JSON，最大 32 MB；各列可参照导出的文件。',
  reading: '正在读取文件……',
  wrongType: '文件名须以 .csv 或 .json 结尾。',
  notText: '文件不是 UTF-8 文本。',
  failed: '无法导入此文件',
  counts: { rows: '行数', new: '新增', changed: '更改', same: '相同', refused: '拒绝' },
  changes: '将要改动的物品',
  refusals: '被拒绝的行',
  firstOf: (shown) => `仅显示前 ${number(shown)} 项。`,
  item: '物品',
  fields: '改动',
  before: '之前',
  after: '之后',
  isNew: '新增',
  row: '行',
  field: '字段',
  reason: '原因',
  reasonOf,
  rejects: '下载被拒绝的行',
  rejectsText: '保留原样并附原因：更正后再导入该文件。',
  skipBad: (count) => `跳过被拒绝的 ${number(count)} 行，导入其余各行`,
  why: '原因（记入价值历史）',
  nothing: '目录已与文件一致。',
  import: (count) => `导入 ${number(count)} 行`,
  close: '关闭',
  done: (changed) => `已导入 ${number(changed)} 件物品`,
  announced: '重新公布的卡包',
  paused: '现已暂停',
}

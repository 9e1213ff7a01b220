import { number } from '@/lib/format'
import type { overview as english } from './en'
export const overview: typeof english = {
  files: 'CSV 文件',
  file: {
    packs: '卡包',
    opens: '开包',
    sales: '成交',
    'sell-backs': '回购',
    transfers: '全部转账',
  },
  top: '最高价值抽取',
  topText: (least) => `抽中的最高价值卡片，仅限价值不低于 ${least} 者。`,
  within: '时间范围',
  days: (count) => `${number(count)} 天`,
  failed: '最高价值抽取未能取得',
  none: '没有这样的抽取',
  noneText: (least) => `这些天内没有抽中价值不低于 ${least} 的卡片。`,
  pairs: '谁从谁那里得利',
  pairsText: '两个用户之间的成交价超出卡片价值的合计，以及双方最早和最近一次充值的时间。',
  pairsFailed: '未能取得这些用户',
  pairsNone: '用户之间没有成交',
  pairsNoneText: '这些天内没有人卖给其他用户。',
  pairColumns: { gainer: '得利方', payer: '付出方', trades: '成交数', moved: '超出价值', last: '最近成交' },
  deposits: (first, last) => `充值自 ${first} 至 ${last}`,
  noDeposits: '从未充值',
  columns: { item: '卡片', value: '价值', pack: '卡包', player: '玩家', time: '时间' },
}

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
  columns: { item: '卡片', value: '价值', pack: '卡包', player: '玩家', time: '时间' },
}

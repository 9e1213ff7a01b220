import { items } from '@/components/texts/zh'
import type { catalogue as en } from './en'

export const catalogue: typeof en = {
  feeChange: (percent: number, at: string) => `${at} 起，手续费为 ${percent}%。`,
  ...items,
  howFair: '抽取如何进行',
  store: {
    opening: '正在打开……',
    title: '卡包',
    text: '付款之前，每个卡包的概率、卡牌和期望价值都一目了然。',
    featured: '精选',
    new: '新品',
    soldOut: '已售罄',
    paused: '已暂停',
    tooDear: '超出本站限价',
    openPack: '打开卡包',
    viewPack: '查看卡包',
    priceIn: (price) => `${price} Play Points`,
    empty: '这里还没有卡包',
    emptyText: '新卡包正在路上，先看看其他卡包吧。',
    showAll: '查看全部卡包',
    failed: '获取卡包列表失败',
  },
}

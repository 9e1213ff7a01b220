import { number } from '@/lib/format'
import type * as en from './en'

const cards = (n: number) => `${number(n)} 张卡`

export const sets: typeof en.sets = {
  title: '套系',
  text: '浏览所有系列和套系，看看已有哪些卡、还缺哪些。',
  list: '套系',
  failed: '套系加载失败',
  category: '分类',
  allCategories: '全部分类',
  empty: '这里还没有套系',
  emptyText: '换个分类看看。',
  cards,
  progress: (owned, all) => `已收集 ${number(owned)} / ${number(all)} 张`,
  complete: '已集齐',
  duplicates: (n) => `${number(n)} 张重复`,
  wholeSeries: '全部卡牌',
}

export const set: typeof en.set = {
  back: '全部套系',
  failed: '套系加载失败',
  unknown: '没有找到这个套系',
  unknownText: '它可能改了名，请到套系列表中查找。',
  wholeText: '该系列所有套系中的全部卡牌。',
  seriesText: (series) => `属于${series}系列。`,
  list: '该套系的卡牌',
  number: (text) => `#${text}`,
  value: '估值',
  missing: '未收集',
  owned: (n) => (n === 1 ? '已拥有' : `已拥有 ${number(n)} 张`),
  emptyText: '该套系已没有卡牌。',
  from: (price) => `${price} 点起`,
  bid: '出价',
  signIn: '连接钱包，看看你已有哪些卡。',
  connect: '连接钱包',
}

export const finish: typeof en.finish = {
  title: '集齐这个套系',
  complete: '你已拥有该套系的全部卡牌。',
  missing: (n) => `还缺 ${cards(n)}。`,
  forSale: (n) => `其中 ${number(n)} 张有人出售，最低价合计`,
  cheapest: (n, left) => `这是最便宜的 ${number(n)} 张，另有 ${number(left)} 张在售。`,
  add: (n) => `将 ${cards(n)}加入购物车`,
  added: (n) => `已将 ${cards(n)}加入购物车`,
  noRoom: (n) => `购物车已满，还有 ${cards(n)}未加入。请先购买或移除一些。`,
  allInCart: '这些卡都已在购物车中。',
  notForSale: (n) => `以下 ${number(n)} 张暂时无人出售：`,
  more: (n) => `另有 ${number(n)} 张`,
  bid: (n) => `对这 ${number(n)} 张卡出价`,
  duplicates: '你的重复卡',
  bring: (n) => `你在该套系中有 ${number(n)} 张重复卡。`,
  payout: (n) => `现在卖出其中 ${number(n)} 张，扣除手续费后可得：`,
  payoutAll: '现在全部卖出，扣除手续费后可得：',
  cantSell: '目前都无法出售。',
  sell: '去我的收藏出售',
}

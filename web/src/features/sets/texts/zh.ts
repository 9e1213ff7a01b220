import { number } from '@/lib/format'
import type * as en from './en'

const items = (n: number) => `${number(n)} 件`

export const sets: typeof en.sets = {
  title: '套系',
  text: '浏览所有系列和套系，看看已有哪些、还缺哪些。',
  list: '套系',
  failed: '套系加载失败',
  category: '分类',
  allCategories: '全部分类',
  empty: '这里还没有套系',
  emptyText: '换个分类看看。',
  items,
  progress: (owned, all) => `已收集 ${number(owned)} / ${number(all)}`,
  complete: '已集齐',
  duplicates: (n) => `${number(n)} 件重复`,
  wholeSeries: '整个系列',
}

export const set: typeof en.set = {
  back: '全部套系',
  failed: '套系加载失败',
  unknown: '没有找到这个套系',
  unknownText: '它可能改了名，请到套系列表中查找。',
  wholeText: '该系列的全部物品，包含所有套系。',
  seriesText: (series) => `所属系列：${series}`,
  list: '套系内容',
  number: (text) => `#${text}`,
  value: '估值',
  missing: '未收集',
  owned: (n) => (n === 1 ? '已拥有' : `已拥有 ${number(n)} 件`),
  emptyText: '该套系暂无内容。',
  from: (price) => `${price} 点起`,
  bid: '出价',
  signIn: '连接钱包，看看你已有哪些。',
  connect: '连接钱包',
}

export const finish: typeof en.finish = {
  title: '集齐这个套系',
  complete: '你已集齐这个套系。',
  missing: (n) => `还缺 ${items(n)}。`,
  forSale: (n) => `其中 ${items(n)}有人出售，最低价合计`,
  cheapest: (n, left) => `这是最便宜的 ${items(n)}，另有 ${items(left)}在售。`,
  add: (n) => `将 ${items(n)}加入购物车`,
  added: (n) => `已将 ${items(n)}加入购物车`,
  noRoom: (n) => `购物车已满，还有 ${items(n)}未加入，请先购买或移除一些。`,
  allInCart: '均已加入购物车。',
  notForSale: (n) => `以下 ${items(n)}暂时无人出售：`,
  more: (n) => `另有 ${items(n)}`,
  bid: (n) => `对这 ${items(n)}出价`,
  duplicates: '你的重复物品',
  has: (n) => `你在该套系中有 ${items(n)}重复物品。`,
  payout: (n) => `现在卖出其中 ${items(n)}，扣除手续费后可得：`,
  payoutAll: '现在全部卖出，扣除手续费后可得：',
  cantSell: '目前都无法出售。',
  sell: '去我的收藏出售',
}

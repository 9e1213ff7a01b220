import type { bulk as en } from './en'

export const bulk: typeof en = {
  buttons: {
    list: (n) => `挂单 ${n} 件`,
    reprice: (n) => `改价 ${n} 件`,
    delist: (n) => `下架 ${n} 件`,
  },
  titles: {
    list: (n) => `挂单出售 ${n} 件物品`,
    reprice: (n) => `修改 ${n} 件物品的价格`,
    delist: (n) => `下架 ${n} 件物品`,
  },
  texts: {
    list: '按以下价格全部挂单，否则一件也不挂。',
    reprice: '全部改价，否则一件也不改。要价不高于最高求购价的，会立即卖给求购者。',
    delist: '全部下架，否则一件也不下架。物品仍在你的收藏里。',
  },
  confirm: {
    list: (n) => `挂单 ${n} 件物品`,
    reprice: (n) => `修改 ${n} 个价格`,
    delist: (n) => `下架 ${n} 件物品`,
  },
  first: (most, all) => `每次最多 ${most} 件：此处为 ${all} 件中的前 ${most} 件。`,
  rule: '定价方式',
  rules: {
    share: '按价值的百分比',
    each: '统一价格',
    by: '增减金额',
  },
  typed: {
    share: '价值的百分比',
    each: '价格（美元）',
    by: '美元，降价加 − 号',
  },
  lines: '定价结果',
  value: (value) => `价值 ${value}`,
  was: (price) => `此前 ${price}`,
  noPrice: '无价格',
  toBid: (bid, left) => `求购者将立即以 ${bid} 买下，你将收到 ${left}。`,
  listingFee: '挂单：',
  bidFee: '出价成交：',
  total: '合计',
  far: (n) => `有 ${n} 个价格与价值相差很大。尚未作任何更改，请再看一下。`,
  farBelow: (house) => `平台现在就支付 ${house}。`,
  farAbove: '远高于其价值。',
  leaveOut: (n) => `去掉这 ${n} 件`,
  meant: '确定，就按这些价格',
  wrong: '尚未作任何更改，原因见下。',
  nothing: '没有可处理的物品了。',
  working: '正在处理…',
  done: {
    list: (n) => `已挂单 ${n} 件物品`,
    reprice: (n) => `已修改 ${n} 个价格`,
    delist: (n) => `已下架 ${n} 件物品`,
  },
  sold: (n, left) => `求购者立即买下 ${n} 件，你收到 ${left}。`,
  failed: '未作任何更改',
}

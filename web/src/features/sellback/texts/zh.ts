import type { sellBack as en } from './en'

export const sellBack: typeof en = {
  quickSell: (payout) => `快速出售 ${payout}`,
  quickSellItem: (payout, item) => `快速出售 ${payout}：${item}`,
  sellAll: (n, payout) => `全部 ${n} 件以 ${payout} 出售`,
  soldFor: (payout) => `已售出，获得 ${payout}`,

  title: (n) => `出售 ${n} 件物品`,
  text: '每件都卖给出价最高的一方：平台或求购者。出售后无法撤回：物品会离开你的收藏，点数立即到账。',
  list: '要出售的物品',
  before: '此前：',
  buyer: {
    house: '卖给平台：目前没有求购。',
    houseNotBid: (bid, net, fee) => `卖给平台：最高求购价 ${bid}，扣除 ${fee}% 手续费后只得 ${net}。`,
    bid: '卖给求购者：',
    bidNotHouse: (bid, net, fee, house) => `${bid} 扣除 ${fee}% 手续费后得 ${net}。平台支付 ${house}。`,
  },
  more: (n) => `再显示 ${n} 件`,
  total: '你将获得',
  houseAlone: '全部卖给平台',
  balanceAfter: '出售后余额',
  locked: (n, all) => {
    if (n === all) return all === 1 ? '此价格不会下跌，剩余' : '这些价格不会下跌，剩余'
    return `${all} 个价格中有 ${n} 个不会下跌，剩余`
  },
  floating: () => '价格随物品价值和求购变动，随时可能改变。不会以低于此处的价格出售。',
  hours: (hours, minutes) => `${hours} 小时 ${minutes} 分`,
  minutes: (minutes, seconds) => `${minutes} 分 ${seconds} 秒`,
  lessThanHours: (n) => `不到 ${n} 小时`,
  lessThanMinutes: (n) => `不到 ${n} 分钟`,
  over: '时间已到，正在重新获取价格。',
  calls: (calls, most) => `将分 ${calls} 次出售，每次最多 ${most} 件。如果其中一次被拒绝，之前已售出的不受影响。`,
  cancel: '取消',
  confirm: (payout) => `以 ${payout} 出售`,
  confirming: '正在出售…',
  failed: '无法获取价格',

  fell: (before, now) => `所得金额已从 ${before} 降至 ${now}。尚未出售任何物品。要以新价格出售吗？`,
  rose: (before, now) => `所得金额已从 ${before} 升至 ${now}。`,
  unsure: '服务器没有回复，无法确定是否已售出。请再次请求：最多只会出售一次。',
  askAgain: '再次请求',
  none: '这里没有现在可以出售的物品。',
  close: '关闭',
  leftOut: (n, why) => `已排除 ${n} 件：${why}`,
  partly: (n, payout) => `已售出 ${n} 件，获得 ${payout}。其余尚未出售。`,
  why: {
    not_found: '已不属于你。',
    already_sold: '已经售出，所得点数已在余额中。',
    already_listed: '正在市场上出售，请先下架。',
    conflict: '正在寄送给你。',
    no_buyer: '平台和求购者目前都不收。',
  },
  sold: (payout) => `已售出，获得 ${payout}`,
  soldText: (house, bids) => {
    if (bids === 0) return `${house} 件物品已归平台。`
    return house === 0 ? `${bids} 件物品已卖给求购者。` : `${house} 件物品已归平台，${bids} 件已卖给求购者。`
  },
  notSold: '未出售任何物品',
  unsureText: '服务器没有回复。是否已售出，请查看你的余额和收藏。',

  select: '选择出售',
  bar: '批量出售',
  done: '完成',
  pick: (payout) => `以 ${payout} 出售`,
  pickItem: (item, payout) => `选择：${item}，${payout}`,
  notSellable: '现在不能出售',
  onMarket: '下架后可在此出售',
  picked: (n) => (n === 0 ? '尚未选择' : `已选择 ${n} 件`),
  all: '全选',
  duplicates: '重复的只留一件',
  below: '选低于此价值的',
  belowValue: '价值（美元）',
  belowPlaceholder: '$ 价值',
  clear: '清空',
  reading: (n) => `正在读取完整列表，已读取 ${n} 件…`,
  readFailed: '无法读取完整列表',
  readFailedText: '没有选择更多物品，请重试。',
}

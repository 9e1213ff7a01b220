import type { sellBack as en } from './en'

export const sellBack: typeof en = {
  quickSell: (payout) => `快速出售 ${payout}`,
  quickSellItem: (payout, item) => `快速出售 ${payout}：${item}`,
  sellAll: (n, payout) => `全部 ${n} 件以 ${payout} 卖出`,
  soldFor: (payout) => `已售出，获得 ${payout}`,

  title: (n) => `快速出售 ${n} 件物品`,
  text: (n) => `${n === 1 ? '' : '每件都'}卖给报价最高的一方：平台或其他藏家。点数立即到账，成交后不可撤销。`,
  list: '要出售的物品',
  before: '之前：',
  buyer: {
    kaibao: '卖给平台。暂无藏家出价。',
    kaibaoOverBid: (bid, net, fee) => `卖给平台。最高出价 ${bid}，扣除 ${fee}% 手续费后为 ${net}。`,
    bid: '卖给藏家：',
    bidOverKaibao: (bid, net, fee, kaibao) => `${bid} 扣除 ${fee}% 手续费后为 ${net}。平台回购价 ${kaibao}。`,
  },
  more: (n) => `再显示 ${n} 件`,
  total: '你将收到',
  allToKaibao: '全部卖给平台可得',
  newBalance: '出售后余额',
  locked: (n, all) => {
    if (n === all) return all === 1 ? '价格保证还剩' : '全部价格保证还剩'
    return `${all} 件中有 ${n} 件价格有保证，还剩`
  },
  floating: () => '价格可能变动，但未经你确认，不会以更低的价格出售。',
  hours: (hours, minutes) => `${hours} 小时 ${minutes} 分`,
  minutes: (minutes, seconds) => `${minutes} 分 ${seconds} 秒`,
  lessThanHours: (n) => `不到 ${n} 小时`,
  lessThanMinutes: (n) => `不到 ${n} 分钟`,
  over: '时间已到，正在更新价格…',
  calls: (calls, most) => `将分 ${calls} 批出售，每批最多 ${most} 件。某一批失败时，之前售出的不受影响。`,
  cancel: '取消',
  confirm: (payout) => `以 ${payout} 卖出`,
  confirming: '正在出售…',
  failed: '价格加载失败',

  fell: (before, now) => `价格从 ${before} 降至 ${now}，尚未出售。要以新价格出售吗？`,
  rose: (before, now) => `价格从 ${before} 升至 ${now}。`,
  unsure: '未收到服务器的回复，可能已经售出。请重试：不会重复出售。',
  tryAgain: '重试',
  none: '这些物品暂时都不能出售。',
  close: '关闭',
  leftOut: (n, why) => `已排除 ${n} 件：${why}`,
  partly: (n, payout) => `已售出 ${n} 件，获得 ${payout}，其余未售出。`,
  why: {
    not_found: '已不属于你。',
    already_sold: '已售出，点数已在余额中。',
    already_listed: '正在市场上出售，请先下架。',
    conflict: '正在寄送给你。',
    no_buyer: '暂无买家。',
  },
  sold: (payout) => `已售出，获得 ${payout}`,
  soldText: (toKaibao, toBids) => {
    if (toBids === 0) return `${toKaibao} 件已卖给平台。`
    if (toKaibao === 0) return `${toBids} 件已卖给藏家。`
    return `${toKaibao} 件已卖给平台，${toBids} 件已卖给藏家。`
  },
  notSold: '没有售出',
  unsureText: '未收到服务器的回复。请查看余额和收藏，确认是否已售出。',

  select: '批量选择',
  bar: '已选物品',
  done: '完成',
  pick: (payout) => `以 ${payout} 卖出`,
  pickItem: (item, payout) => `选择：${item}，${payout}`,
  notSellable: '暂不能出售',
  listed: '出售中',
  pickThis: '选择',
  pickOther: (item) => `选择：${item}`,
  picked: (n) => (n === 0 ? '尚未选择' : `已选择 ${n} 件`),
  all: '全选',
  duplicates: '出售重复物品，只留一件',
  noDuplicates: '没有重复物品',
  below: '选择低于此估值的',
  belowValue: '估值上限（$）',
  belowPlaceholder: '$ 估值',
  clear: '清空',
  reading: (n) => `正在加载完整列表，已加载 ${n} 件…`,
  readFailed: '完整列表加载失败',
  readFailedText: '已选物品未变，请重试。',
}

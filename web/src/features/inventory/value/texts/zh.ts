import type * as en from './en'

export const value: typeof en.value = {
  title: '估值走势',
  text: '收藏在每天结束时（UTC）的估值，以及你为它们花了多少。',
  how: '一次开包的价格，按抽取时各张卡的估值分摊。获赠的物品花费记为 $0。已不属于你的物品不再计入两条线。',
  failed: '估值走势加载失败',
  range: '时间范围',
  ranges: { month: '30 天', quarter: '90 天', year: '1 年', all: '全部' },
  value: '估值',
  paid: '花费',
  profit: '盈亏',
  now: '当前估值',
  chart: '收藏每天的估值与花费，下方表格有同样的数据。',
  table: '以表格显示',
  day: '日期',
  monthly: '每月最后一天的数据。',
  empty: '暂无数据',
  emptyText: '打开卡包后，这里会显示收藏的估值。',
  tooFew: '走势图从明天开始显示。',
  openPacks: '打开卡包',
}

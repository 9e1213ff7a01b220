import type { board as en } from '../en/board'

export const board: typeof en = {
  title: '排行榜',
  text: '看看谁开得最多，谁抽得最好。',
  periods: '周期',
  period: { WEEKLY: '本周', ALL_TIME: '全部' },
  metrics: '指标',
  metric: { VOLUME: '消费额', PACKS: '开包数', TOP_PULL: '最佳抽取' },
  emptyTitle: '暂无数据',
  emptyText: '排行榜数据正在生成，请稍后再来！',
  activity: '最近动态',
  live: '实时开出',
  liveText: '刚刚从卡包里开出的物品。',
  anonymous: '匿名用户',
  opened: (pack) => `开启了 ${pack}`,
  noActivity: '暂无动态',
  activityFailed: '最近动态加载失败',
  stats: '竞赛统计',
  competitors: '参与人数',
  periodLabel: '周期',
  metricLabel: '指标',
  ago: { now: '刚刚', minutes: (n) => `${n} 分钟前`, hours: (n) => `${n} 小时前`, days: (n) => `${n} 天前` },
}

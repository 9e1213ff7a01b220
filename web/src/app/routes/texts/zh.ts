import type * as en from './en'

export const checkout: typeof en.checkout = {
  title: '结账',
  loading: '正在加载卡包…',
  notFound: '未找到卡包',
  notFoundText: '找不到你要购买的卡包。',
  notConfigured: '支付尚未配置',
  notConfiguredText: '目前尚未开通支付，请联系管理员。',
  goBack: '返回',
  failed: '卡包详情加载失败',
}

export const labubus: typeof en.labubus = {
  title: 'Labubu 专区',
  text: '长耳朵、尖牙齿，还有等你打开的盲盒。三大系列、一个豪华系列，外加几个隐藏款。',
  explore: '去看看 Labubu',
  video: '盒装 Labubu 在灯光下缓缓转动',
}

export const roadmap: typeof en.roadmap = {
  title: '路线图',
  text: '已上线、开发中和计划中的功能。',
  phases: [
    {
      title: '第一阶段 Beta',
      timeline: '2025 年第三季度',
      checklist: ['核心开包功能', '演示市场', '用户登录', '收藏系列'],
    },
    {
      title: '第二阶段',
      timeline: '2025 年第三至第四季度',
      checklist: ['代币回购', '交易系统', '用户资料与收藏', '排行榜', '更多卡包类型'],
    },
    {
      title: '第三阶段',
      timeline: '2026 年第一季度',
      checklist: ['社交功能与聊天', '直播开包', '推广计划', '手机 App'],
    },
    {
      title: '第四阶段',
      timeline: '2026 年第一至第二季度',
      checklist: ['卡牌对战与小游戏', 'NFT 集成', '高级数据分析', '推广者自制卡包'],
    },
  ],
  status: { completed: '已完成', 'in-progress': '进行中', planned: '计划中' },
  progress: (phase) => `${phase}进度`,
  share: (done, all) => `已完成 ${done} / ${all}`,
  late: '进度落后',
  itemDone: '已完成',
  itemOpen: '未完成',
  feedbackTitle: '接下来做什么？',
  feedbackText: '告诉我们你还想要什么，优先做什么由藏家决定。',
  feedback: '提交反馈',
}

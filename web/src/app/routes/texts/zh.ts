import type * as en from './en'

export const checkout: typeof en.checkout = {
  title: '结账',
  loading: '正在加载卡包…',
  notFound: '未找到卡包',
  notFoundText: '找不到你要购买的卡包。',
  notConfigured: '支付尚未配置',
  notConfiguredText: '支付处理目前尚未设置，请联系管理员。',
  goBack: '返回',
  failed: '获取卡包详情失败',
}

export const labubus: typeof en.labubus = {
  title: 'Labubu 系列',
  text: '长耳朵、尖牙齿，还有一个等你来打开的盒子。三个系列、一层豪华柜，外加几个隐藏款。',
  explore: '探索 Labubu',
  video: '盒装玩偶在灯光下缓缓转动',
}

export const roadmap: typeof en.roadmap = {
  title: '路线图',
  text: '已经实现的、正在打造的，以及接下来的计划。',
  phases: [
    {
      title: '第一阶段 Beta',
      timeline: '2025 年第三季度',
      checklist: ['核心开包功能', '演示市场', '用户认证', '收藏系列'],
    },
    {
      title: '第二阶段',
      timeline: '2025 年第三至第四季度',
      checklist: ['代币回购', '交易系统', '用户资料与收藏', '排行榜', '更多卡包类型'],
    },
    {
      title: '第三阶段',
      timeline: '2026 年第一季度',
      checklist: ['社交功能与聊天', '直播开包', '推广联盟计划', '移动应用'],
    },
    {
      title: '第四阶段',
      timeline: '2026 年第一至第二季度',
      checklist: ['卡牌对战与小游戏', 'NFT 集成', '高级数据分析', '联盟自制卡包'],
    },
  ],
  status: { completed: '已完成', 'in-progress': '进行中', planned: '计划中' },
  progress: (phase) => `${phase}进度`,
  share: (there, all) => `已实现 ${there} / ${all}`,
  late: '晚于计划',
  itemDone: '已完成',
  itemOpen: '未完成',
  feedbackTitle: '接下来做什么？',
  feedbackText: '告诉我们你还缺什么。先做哪一项，由藏家决定。',
  feedback: '提交反馈',
}

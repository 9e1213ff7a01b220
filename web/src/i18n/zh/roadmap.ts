import type { roadmap as en } from '../en/roadmap'

const done = (text: string) => ({ text, done: true })
const open = (text: string) => ({ text, done: false })

export const roadmap: typeof en = {
  title: '路线图',
  text: '已经实现的、正在打造的，以及接下来的计划。',
  phases: [
    {
      title: '第一阶段 Beta',
      timeline: '2025 年第三季度',
      status: 'completed',
      checklist: [done('核心开包功能'), done('演示市场'), done('用户认证'), done('收藏系列')],
    },
    {
      title: '第二阶段',
      timeline: '2025 年第三至第四季度',
      status: 'in-progress',
      checklist: [open('代币回购'), open('交易系统'), done('用户资料与收藏'), done('排行榜'), done('更多卡包类型')],
    },
    {
      title: '第三阶段',
      timeline: '2026 年第一季度',
      status: 'planned',
      checklist: [open('社交功能与聊天'), open('直播开包'), open('推广联盟计划'), open('移动应用')],
    },
    {
      title: '第四阶段',
      timeline: '2026 年第一至第二季度',
      status: 'planned',
      checklist: [open('卡牌对战与小游戏'), open('NFT 集成'), open('高级数据分析'), open('联盟自制卡包')],
    },
  ],
  status: { completed: '已完成', 'in-progress': '进行中', planned: '计划中' },
  progress: (phase) => `${phase}进度`,
  share: (there, all) => `${there} / ${all}`,
  itemDone: '已完成',
  itemOpen: '未完成',
  feedbackTitle: '接下来做什么？',
  feedbackText: '告诉我们你还缺什么。先做哪一项，由藏家决定。',
  feedback: '提交反馈',
}

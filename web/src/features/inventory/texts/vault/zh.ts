import type { vault as en } from './en'

export const vault: typeof en = {
  title: '保险库',
  text: '你开出物品的个人收藏。',
  overlayTitle: '连接钱包',
  overlayText: '保险库归属于你的钱包，连接后即可查看其中的物品。',
  comingSoon: '即将推出',
  emptyText: '开启卡包后，即可快速出售、管理和兑换。',
  list: '保险库中的物品',
  baseValue: '基础价值',
  noMatchTitle: '没有符合条件的物品',
  noMatchText: '保险库中没有同时满足这些筛选条件的物品。',
  failed: '获取保险库物品失败',
  clearAll: '全部清除',
  grade: (grade) => `评级 ${grade}`,
  connectWallet: '连接钱包',
  openPacks: '去开卡包',
  myCollection: '我的收藏',
}

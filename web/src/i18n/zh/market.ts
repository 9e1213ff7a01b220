import type { market as en } from '../en/market'

export const market: typeof en = {
  market: {
    title: '市场',
    text: '从其他藏家手中购买，也可出售您不想保留的物品。',
    manage: '管理我的挂单',
    comingSoon: '即将推出',
    manageText: '在市场上挂出您的物品，请稍后再来查看！',
    overlayTitle: '连接钱包',
    overlayText: '连接钱包后即可浏览市场。',
    emptyTitle: '暂无挂单',
    emptyText: '物品即将上架。在此之前，欢迎先去开卡包。',
  },
  vault: {
    title: '保险库',
    text: '您开出物品的个人收藏。',
    overlayTitle: '连接钱包',
    overlayText: '保险库归属于您的钱包，连接后即可查看其中的物品。',
    comingSoon: '即将推出',
    emptyText: '开启卡包后，即可快速出售、管理和兑换。',
  },
  connectWallet: '连接钱包',
  connected: '已连接',
  openPacks: '去开卡包',
  myCollection: '我的收藏',
}

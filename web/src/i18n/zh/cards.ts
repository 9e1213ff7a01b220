import type { cards as en } from '../en/cards'

export const cards: typeof en = {
  title: '我的卡牌',
  text: '您从卡包中开出并存入保险库的卡牌。',
  totalCards: '卡牌总数',
  totalValue: '总价值',
  avgValue: '平均价值',
  overlayTitle: '连接钱包',
  overlayText: '您的卡牌归属于您的钱包，连接后即可查看。',
  connectWallet: '连接钱包',
  list: '保险库中的卡牌',
  from: (pack) => `来自 ${pack}`,
  emptyTitle: '暂无卡牌',
  emptyText: '开启卡包并将卡牌存入保险库，即可在此查看！',
  openPacks: '去开卡包',
  failed: '获取保险库物品失败',
}

import type { commandPalette as en } from './en'

export const commandPalette: typeof en = {
  title: '快速跳转',
  text: '查找页面、卡包或物品。',
  placeholder: '输入关键词…',
  kinds: { pages: '页面', packs: '卡包', items: '物品' },
  failed: '卡包和物品搜索失败',
  nothing: (query) => `没有找到“${query}”`,
  found: (n) => `${n} 个结果`,
}

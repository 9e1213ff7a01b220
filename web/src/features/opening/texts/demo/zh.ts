import type { demo as en } from './en'

export const demo: typeof en = {
  dialog: (pack) => `演示：${pack}`,
  badge: '演示',
  prompt: '试试手气：不收费，也不会留下任何物品',
  labubuPrompt: '这个盒子里藏着哪只 Labubu？免费看一看',
  rip: '演示开包',
  uniform: '演示中每件物品的概率相同；正式开包按公布的概率抽取。',
  opening: '正在开包…',
  marketValue: '市场价值',
  price: '价格',
  note: '演示物品不能存入保险库。',
  enlarge: '放大查看',
  shrink: '缩小',
  back: '返回卡包',
  revealed: (name, rarity, value) => `${name}，${rarity}，${value}`,
  failed: (why) => `无法显示演示。${why}`,
}

import type * as en from './en'

export const pull: typeof en.pull = {
  title: (n, pack) => `从“${pack}”抽到 ${n} 件物品`,
  by: '开包人',
  from: (pack, points) => `花费 ${points} 点，从“${pack}”抽到`,
  value: '抽到时的估值',
  total: '抽到时的总估值',
  verified: '已校验',
  verifiedText: '已校验：查看本次抽取的凭证',
  openPack: '打开这款卡包',
  cards: '抽到的卡牌',
  share: { share: '分享', copied: '链接已复制', copyFailed: '链接复制失败' },
  failed: '开包结果加载失败',
  unknown: '这次开包没有公开',
  unknownText: '链接可能有误，或者对方已停止分享。不妨先看看其他卡包。',
  toPacks: '看看卡包',
}

export const share: typeof en.share = {
  title: '分享这次开包',
  text: '把链接发给别人，晒出你抽到的卡牌。公开个人主页后，才会显示昵称。',
  which: '选择一次开包',
  choice: (card, value) => `${card}，${value}`,
  on: '知道链接的人都能查看',
  before: '公开后，任何人都能顺着这次开包，在公开日志中找到你的其他开包记录。',
  after: '可以随时关闭。已读取预览图的应用可能仍会保留它。',
  preview: '这次开包的预览图',
  previewLater: '开启分享后，这里会显示预览图。',
  previewFailed: '预览图加载失败。',
  copyLink: '复制链接',
  copied: '链接已复制',
  copyFailed: '链接复制失败',
  save: '保存图片',
  send: '发送',
  sendTitle: (pack) => `我从“${pack}”抽到的好卡`,
  failed: '分享设置修改失败',
  loadFailed: '开包结果加载失败',
}

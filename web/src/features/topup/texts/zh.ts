import type { topup as en } from './en'

export const topup: typeof en = {
  title: '充值',
  text: 'Play Points 用于购买卡包，使用之前一直保留在你的账户中。',
  connectTitle: '连接钱包后充值',
  connectText: 'Play Points 归属于你的钱包，连接后即可查看余额并充值。',
  connectWallet: '连接钱包',
  balance: '当前余额',
  add: '充值 Play Points',
  quick: '快捷金额',
  custom: '自定义金额',
  customHint: (least, most) => `整数点数，${least} 至 ${most}`,
  outOfRange: (least, most) => `请输入 ${least} 至 ${most} 之间的整数。`,
  rate: '1 Play Point = $1',
  submit: (amount) => `充入 ${amount} 沙盒点数`,
  submitEmpty: '充入沙盒点数',
  submitting: '正在充入……',
  sandboxNote: '沙盒模式：无需付款，点数仅供体验。',
  unavailable: '暂时无法充值。',
  added: '充值成功',
  addedText: (amount) => `已向你的钱包充入 ${amount} Play Points。`,
  failed: '充值失败',
}

import type { selling as en } from '../en/selling'

export const selling: typeof en = {
  sellText: '其他用户会看到你的名字、物品和价格。',
  price: '挂单价格（$）',
  pricePlaceholder: '输入价格…',
  receive: (amount) => `售出后你将收到 ${amount}，已扣除 5% 平台费。`,
  receiveNothing: '平台费为售价的 5%。',
  confirm: '挂单',
  confirming: '正在挂单…',
  listed: '物品已挂单！',
  listFailed: '挂单失败',
  invalidPrice: '价格无效',
  invalidPriceText: '请输入有效的价格。',
  mine: '我的挂单',
  mineText: '可修改价格或下架物品。售出后款项立即到账。',
  edit: '修改价格',
  editItem: (item) => `修改价格：${item}`,
  save: '保存价格',
  saving: '正在保存…',
  saved: '价格已修改',
  cancel: '取消',
  more: '此处为最新的 200 件，全部挂单请见“我的收藏”。',
}

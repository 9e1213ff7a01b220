import type { orders as en } from './en'

export const orders: typeof en = {
  title: '我的订单',
  text: '你所有仍可成交的挂单与求购单，集中在一页。',
  overlayTitle: '连接钱包',
  overlayText: '你的求购单和挂单归属于你的钱包，连接后即可查看。',
}

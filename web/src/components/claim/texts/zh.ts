import type { claim as en } from './en'

export const claim: typeof en = {
  states: {
    requested: '已申请',
    packed: '已打包',
    shipped: '运送中',
    delivered: '已送达',
    cancelled: '已取消',
    lost: '途中遗失',
    replacing: '正在补寄',
    refunded: '已赔付',
  },
  acts: {
    request: '提出申请',
    cancel: '取消申请',
    pack: '完成打包',
    ship: '寄出',
    deliver: '送达',
    lose: '途中遗失',
    replace: '正在准备补寄',
    refund: '完成赔付',
  },
  byHouse: '由平台操作',
  timeline: '经过',
  items: (n) => `${n} 件物品`,
  oneItem: '1 件物品',
  track: (carrier, number) => `在 ${carrier} 查询 ${number}`,
  shipping: '运费',
  value: '申请时价值',
  refunded: '遗失赔付',
}

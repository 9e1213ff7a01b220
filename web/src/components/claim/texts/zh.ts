import type { claim as en } from './en'

export const claim: typeof en = {
  states: {
    requested: '已申请',
    packed: '已打包',
    shipped: '运输中',
    delivered: '已送达',
    cancelled: '已取消',
    lost: '运输中丢失',
    replacing: '补寄准备中',
    refunded: '已赔付',
  },
  acts: {
    request: '申请寄送',
    cancel: '取消寄送',
    pack: '已打包',
    ship: '已寄出',
    deliver: '已送达',
    lose: '运输中丢失',
    replace: '补寄准备中',
    refund: '已赔付',
  },
  byKaibao: '由平台操作',
  history: '寄送进度',
  items: (n) => `${n} 件物品`,
  oneItem: '1 件物品',
  track: (carrier, number) => `${carrier} 物流查询：${number}`,
  shipping: '运费',
  value: '申请时估值',
  refunded: '赔付',
}

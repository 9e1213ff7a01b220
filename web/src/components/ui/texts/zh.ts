import type { crash as en } from './en'

export const crash: typeof en = {
  title: '窗口出错了',
  notSent: '请求没有发出，未扣款。请关闭窗口后重试。',
  pending: '请求已发出，还没有收到结果。重试前请先查看结果。',
  opened: '卡包已打开，点数只扣了一次。卡牌已放入你的收藏。',
  done: '操作已成功，无需重复提交。',
  refused: '请求被拒绝，未扣款。',
  unknown: '暂时无法确认操作是否成功。重试前请先查看结果。',
  links: {
    opens: '查看开包记录',
    collection: '查看收藏',
    orders: '查看订单',
    claims: '查看寄送记录',
    balance: '查看点数明细',
  },
}

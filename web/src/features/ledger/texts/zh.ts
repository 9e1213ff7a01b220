import type { ledger as en } from './en'

export const ledger: typeof en = {
  recent: '最近变动',
  empty: '还没有变动',
  emptyText: '充值和开包会逐笔列在这里，并附上变动后的余额。',
  failed: '获取钱包信息失败',
  columns: { what: '项目', when: '时间', amount: '金额', balance: '变动后余额' },
  kinds: {
    open: '开包',
    sandboxDeposit: '沙盒充值',
    adminCredit: '平台发放',
    purchase: '市场购买',
    sale: '市场售出',
    saleFee: '市场服务费',
    sellBack: '平台回购',
    other: '变动',
  },
}

import type * as en from './en'

export const quantity: typeof en.quantity = {
  label: '打开数量',
  choice: (n) => `×${n}`,
  packs: (n) => `${n} 包`,
  blocked: (n, why) => `×${n}：${why}`,
  why: {
    wait: (seconds) => `每次只能打开一包，间隔 ${seconds} 秒。`,
    supply: (left) => `仅剩 ${left} 包。`,
    balance: (missing) => `还差 ${missing} 点。`,
    lossLimit: (left) => `你的亏损限额还剩 ${left} 点。`,
    opensDay: (left) => `按本站规则，今天还可打开 ${left} 包。`,
    spendDay: (left) => `按本站规则，今天还可花费 ${left} 点。`,
  },
}

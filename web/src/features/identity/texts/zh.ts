import type { identity as english } from './en'

export const identity: typeof english = {
  connectTitle: '连接钱包',
  connectText: '签署一条消息，证明钱包属于你。不会发送任何交易，也不收取任何费用。',
  switchedTitle: '钱包已切换账户',
  switchedText: (address) => `当前账户为 ${address}。请用它登录后继续；在此之前，任何涉及金额的操作都无法进行。`,
  wallets: '钱包列表',
  demoWallet: '体验钱包',
  demoWalletNote: '在此浏览器中生成的密钥，仅用于沙盒体验',
  detected: '已检测到',
  notInstalled: '未安装',
  install: (wallet) => `安装 ${wallet}`,
  connecting: (wallet) => `正在等待 ${wallet}……`,
  signing: (wallet) => `请在 ${wallet} 中签署消息……`,
  age: {
    question: '按本站规则，请先确认你的年龄。你的回答会被记录。',
    grown: (years) => `我已满 ${years} 周岁`,
    guardian: (years) => `我已满 ${years} 周岁，且监护人同意`,
  },
  tryAgain: '重试',
  connectFailed: '无法加载钱包列表',
  signOutFailed: '退出登录失败',
  walletErrors: {
    'not-found': (wallet) => `未找到 ${wallet} 钱包`,
    'not-ready': (wallet) => `已检测到 ${wallet} 钱包，但尚未就绪。请刷新页面后重试。`,
    cancelled: () => '已取消连接',
    pending: (wallet) => `已有一个待处理的连接请求，请查看 ${wallet} 钱包。`,
    'invalid-response': (wallet) => `${wallet} 钱包返回了无效的响应`,
    unavailable: (wallet) => `${wallet} 钱包不可用`,
    failed: (wallet, message) => `连接 ${wallet} 失败：${message || '未知错误'}`,
  },
}

import type * as en from './en'

export const sealed: typeof en.sealed = {
  mark: '密封',
  markChoice: '密封或即时',
  promise: (seconds) => `种子由我们先锁定，${seconds} 秒后由任何人都无法操控的公共随机数解锁。`,
  witnessedPromise: (seconds) =>
    `密封：此刻世上还没有人知道结果。下单至少 ${seconds} 秒后，由任何人都无法操控的公共随机数解锁。`,
  unwitnessedPromise: (seconds) =>
    `种子由我们先锁定，${seconds} 秒后由任何人都无法操控的公共随机数解锁。任何关注日志的人都能看到你的订单，但没有见证人为下单时间作证。`,
  testPromise: (seconds) => `种子由我们先锁定，至少 ${seconds} 秒后由随机信标解锁。测试模式下，信标由我们自己运行。`,
  picture: '密封卡包的抽取过程',
  lock: '我们锁定种子',
  lockText: '在你下单之前',
  beacon: '公共随机数',
  testBeacon: '测试信标',
  beaconText: (seconds) => `至少 ${seconds} 秒后公布`,
  cards: '你的卡牌',
  cardsText: '由两者共同决定',
  how: '了解原理',
  steps: {
    order: '你的订单会写入公开日志，并注明一个尚未公布的信标轮次。任何关注日志的人，都能在该轮公布之前看到它。',
    witnessedOrder:
      '你的订单会写入公开日志，并注明一个尚未公布的信标轮次。见证人会在该轮公布之前签名，确认订单已在日志中。',
    beacon: '信标是 drand，由多家独立机构共同运行，每 3 秒公布一个新的随机数，任何一家都无法单独预知或选定。',
    testBeacon: '本站处于测试模式，使用自己的信标。抽取过程相同，但不能证明内部人员没有参与。',
    cards: '这个随机数、我们锁定的种子和你的种子，共同决定你抽到的卡牌。三者事后都可以校验。',
    late: '如果信标延迟，订单会一直等待它的轮次。满 24 小时仍未公布，点数全额退还。',
  },
  learnMore: '密封卡包能证明什么',
  mode: '打开方式',
  modes: {
    sealed: { name: '密封', text: (seconds) => `至少 ${seconds} 秒后抽取` },
    instant: { name: '即时', text: () => '立即抽取' },
  },
}

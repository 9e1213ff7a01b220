import { number } from '@/lib/format'
import type { operate as en } from './en'

/** The server's reasons for refusing a field. */
const reasons: readonly (readonly [reason: RegExp, text: (...told: string[]) => string])[] = [
  [/^must be a name, not a number or a price$/, () => '须为名称，不能只是数字或价格。'],
  [/^contains the replacement character .+: enter the address again$/, () => '地址中有字符已丢失，请重新输入。'],
  [/^contains the replacement character/, () => '有字符已丢失，请将文件另存为 UTF-8。'],
  [
    /^contains characters in the wrong encoding, such as (.+): save/,
    (text) => `有乱码，如 ${text}，请将文件另存为 UTF-8。`,
  ],
  [/^contains the HTML entity (.+): use/, (text) => `含 HTML 实体 ${text}，请直接写该字符。`],
  [/^contains the invisible character (.+)$/, (code) => `含不可见字符 ${code}。`],
  [/^must start with https:\/\/, or be a path on this server$/, () => '须以 https:// 开头，或为本站路径。'],
  [/^is required with a certificate number$/, () => '填写了证书编号，请选择评级机构。'],
  [
    /^is required with a grader: (\d+) to (\d+) digits$/,
    (least, most) => `请填写证书编号，${least} 至 ${most} 位数字。`,
  ],
  [/^expected string to be (\d+) to (\d+) digits$/, (least, most) => `须为 ${least} 至 ${most} 位数字。`],
  [/^is already used by item (.+)$/, (item) => `已是物品 ${item} 的证书编号。`],
  [/^must contain only an address/, () => '地址中混入了价格或其他文字。'],
  [/^differs from the grader in the name$/, () => '与名称中的评级机构不符。'],
  [/^differs from the grade in the name$/, () => '与名称中的评级不符。'],
  [/^must be at least (\d+), the number already sold$/, (sold) => `已售出 ${sold} 包，不能更少。`],
  [/^removes more than is left$/, () => '取出的数量超过库存。'],
  [/^is required, because the item has no stock yet$/, () => '物品还没有库存，请选择卡包。'],
  [/^is required: where the value comes from$/, () => '请注明价值来源。'],
  [/^is required, because the value changes$/, () => '请说明改动原因。'],
  [/^must add up to 1, not (.+)$/, (sum) => `合计 ${sum}，须为 1。`],
  [/^The accepted loss of (.+) is used up\.$/, (loss) => `可接受的亏损 $${loss} 已用完。`],
  [/^must be from (-\d+) to (\d+), and not 0$/, (least, most) => `须在 ${least} 到 ${most} 之间，且不为 0。`],
  [/^must be from (\d+) to (\d+)$/, (least, most) => `须在 ${least} 到 ${most} 之间。`],
]

/** A reason with what the server tells in it; as it is, where it is not known here. */
function known(why: string): string {
  for (const [reason, text] of reasons) {
    const told = reason.exec(why)
    if (told) return text(...told.slice(1))
  }
  return why
}

/** The rarities that a pack's series lack. */
function lacking(why: string, rarities: Readonly<Record<string, string>>): string | undefined {
  const [, names] = /^contains no item of the tier ([^;]+)(?:; left out, .+)?$/.exec(why) ?? []
  return (
    names &&
    `所选系列中没有${names
      .split(' or ')
      .map((name) => rarities[name] ?? name)
      .join('、')}物品。`
  )
}

export const operate: typeof en = {
  title: '管理后台',
  text: '查看店内商品与柜台动态。',
  denied: '拒绝访问',
  deniedText: '你需要管理员权限才能访问此页面。',
  home: '返回首页',
  tiles: { items: '物品总数', packs: '卡包总数', activities: '最近动态', activePacks: '在售卡包' },
  tabs: '管理后台',
  tab: {
    items: '物品',
    packs: '卡包',
    deposits: '充值',
    claims: '寄送',
    users: '用户',
    overview: '概览',
    approvals: '复核',
    trail: '操作记录',
    activity: '动态',
    settings: '设置',
  },
  subjects: {
    user: '用户',
    item: '物品',
    pack: '卡包',
    deposit: '充值',
    claim: '寄送申请',
    approval: '复核申请',
    catalogue: '目录',
    rates: '手续费',
  },
  waiting: (count) => `复核（${number(count)}）`,
  waitsForSecond: '正在等待另一位管理员复核。',
  active: '在售',
  inactive: '已停售',
  paused: '已暂停',
  soldOut: '已售罄',
  baseValue: '基础价值',
  noItems: '暂无物品',
  noItemsText: '目录为空。',
  noPacks: '暂无卡包',
  noPacksText: '店内没有卡包。',
  user: '用户',
  opened: (pack) => `开启了 ${pack} 卡包`,
  noActivity: '暂无动态',
  noActivityText: '用户开启的卡包会显示在这里。',
  metricsFailed: '数据未能取得',
  itemsFailed: '获取物品失败',
  packsFailed: '获取卡包失败',
  activityFailed: '最近动态加载失败',
  create: '创建',
  cancel: '取消',
  error: '出错了',
  createItem: '创建物品',
  createItemText: '之后创建的卡包可以包含它，已公布的概率不变。',
  itemCreated: '物品已创建',
  createPack: '创建卡包',
  packCreated: '卡包已创建',
  leftOut: (cards: string) => `以下物品数量有限，且已在其他卡包中，因此未放入：${cards}`,
  andMore: (cards: string, more: number) => `${cards} 等，另有 ${more} 件`,
  required: '请填写此项。',
  amountUpTo: (most) => `请输入 $0.01 到 ${most} 之间的金额。`,
  between: (least, most) => `请输入 ${least} 到 ${number(most)} 之间的整数。`,
  gradeBetween: (least, most) => `请输入 ${least} 到 ${most} 之间的评级，以 0.5 为一级。`,
  name: '名称',
  series: '系列',
  rarity: '稀有度',
  grade: '评级',
  grader: '评级证书',
  noCertificate: '无',
  certNumber: '证书编号',
  digits: (least, most) => `${least} 至 ${most} 位数字`,
  baseValueDollars: '基础价值（$）',
  imageUrl: '图片地址',
  drawnPicture: 'https://…，默认自绘',
  priceDollars: '价格（$）',
  itemsPerPack: '每包件数',
  supply: '总量（−1 表示不限）',
  drawsFrom: '抽取范围',
  allSeries: '全部系列',
  coverUrl: '封面图片地址',
  acceptedLoss: '可接受的最大亏损（$）',
  reason: (why, rarities) => lacking(why, rarities) ?? known(why),
  loses: (sellBack, price) => `卡包售价 ${price}，预期回购支出 ${sellBack}。请提高价格、换个系列，或接受亏损。`,
  priceTooLow: '低于预期回购支出。',
  whatFits: '可行的方案',
  raisePrice: '不亏损的最低价格：',
  chooseSeries: '此价格下可用的系列：',
  noSeriesFits: '此价格下没有可用的系列。',
  overview: {
    text: '按已结的日期（UTC）统计。每天结束一小时后结账。',
    failed: '每日数据未能取得',
    none: '还没有已结的日期',
    noneText: '明天这里会出现第一天。',
    show: '图表',
    chart: (what: string) => `每日${what}。下表内容相同。`,
    csv: '全部日期（CSV）',
    columns: {
      day: '日期',
      opens: '开包数',
      revenue: '收入',
      sellBack: '回购',
      fees: '手续费',
      deposits: '充值',
      held: '用户持有',
    },
  },
  settings: {
    text: '由当前程序版本固定。',
    fees: '手续费',
    feesText: '由卖家支付。变更须经另一位管理员批准，在公开日志中公告，最早一天后生效。',
    fee: '平台手续费',
    bidFee: '出价成交手续费',
    counterFee: '还价成交手续费',
    feeValue: (percent) => `${percent}%`,
    announced: (at, listing, bid, counter) =>
      `${at} 起：平台手续费 ${listing}%，出价成交 ${bid}%，还价成交 ${counter}%。`,
    changeFees: '调整手续费',
    changeFeesText: '另一位管理员批准后，变更将向所有人公告。生效之前的交易仍按当前手续费。',
    askForFees: '提交复核',
    inPercent: (fee) => `${fee}（%）`,
    wrongFee: (most) => `请输入 0 到 ${most} 之间的数，最多两位小数。`,
    effectiveAt: '生效时间（选填）',
    effectiveHint: (hours) =>
      `按本地时间填写，至少为 ${hours} 小时之后，且不早于批准后 ${hours} 小时。留空则尽早生效。`,
    wrongEffective: (hours, days) => `请选择 ${hours} 小时之后、${days} 天以内的时间。`,
    feesReason: '理由',
    feesFailed: '手续费未变更',
    market: '市场',
    fair: '可验证公平',
    seeds: '自动揭示种子',
    active: '运行中',
    enabled: '已启用',
  },
}

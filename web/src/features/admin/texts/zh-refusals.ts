/**
 * The server's reasons for refusing an admin's act, in English and Chinese. They aren't part of the page's texts: only
 * dialogs load them.
 */
const refusals: readonly (readonly [message: RegExp, text: (...values: string[]) => string])[] = [
  [/^This account is frozen\. Unfreeze it first\.$/, () => '该账户已冻结，请先解冻。'],
  [/^This account isn't frozen\.$/, () => '该账户未被冻结。'],
  [/^This account is already frozen\.$/, () => '该账户已被冻结。'],
  [/^An admin can't be frozen\./, () => '管理员不能被冻结，请先取消其管理员角色。'],
  [/^This account was deleted\.$/, () => '该账户已注销。'],
  [/^You can't remove your own admin role\./, () => '不能取消自己的管理员角色，请由其他管理员操作。'],
  [/^This is the last admin\./, () => '这是最后一位管理员，请先设置另一位。'],
  [/^You can't decide your own request\./, () => '不能复核自己的申请，请由其他管理员操作。'],
  [/^You need the admin role for this\.$/, () => '此操作需要管理员角色。'],
  [/^The admin who made this request no longer has the role\./, () => '申请人已不是管理员，此申请只能拒绝。'],
  [/^This request has expired\.$/, () => '此申请已过期。'],
  [/^This request is already approved\.$/, () => '此申请已获批准。'],
  [/^This request is already refused\.$/, () => '此申请已被拒绝。'],
  [/^This request is already expired\.$/, () => '此申请已过期。'],
  [/^This deposit is \w+ and can't become \w+\.$/, () => '该笔充值的状态已变，无法这样处理。'],
  [/^This claim is .+, so this step isn't possible/, () => '该寄送的状态已变，无法执行此步骤。'],
  [/^These fees are already in effect or announced\.$/, () => '该手续费已生效或已公告。'],
  [
    /^The new odds of this pack aren't announced yet\./,
    () => '该卡包的新概率尚未公告。请待已有订单抽取后再申请接受亏损。',
  ],
  [
    /^The raised value of an item takes effect with the next odds of a pack/,
    () => '有物品上调的估值将随卡包的新概率生效，请保留该物品，公告后再试。',
  ],
  [
    /^The current odds of a pack contain one of these items, but its next odds don't\./,
    () => '卡包当前概率包含其中的物品，但新概率不再包含。请待新概率生效后再上调估值。',
  ],
  [/^Pack \S+ \((.+)\) has no valid odds with these items\./, (pack) => `以这些物品，卡包“${pack}”无法得出有效概率。`],
  [
    /^Pack \S+ \((.+)\) would have no items left in the tier (.+)\. Change its shares first/,
    (pack, tier) => `卡包“${pack}”的“${tier}”档将没有物品。请先修改各档占比，或添加其他物品。`,
  ],
  [/^Pack \S+ \((.+)\) doesn't contain card (.+)\.$/, (pack, card) => `卡包“${pack}”不包含卡牌 ${card}。`],
  [/^The stock of card (.+) belongs to pack (.+)\.$/, (card, pack) => `卡牌 ${card} 的库存属于卡包 ${pack}。`],
  [
    /^Card (.+) is unlimited in current odds\./,
    (card) => `卡牌 ${card} 在当前概率中不限量。请先下架，待没有有效的概率表包含它之后，再带库存重新上架。`,
  ],
  [
    /^Card (.+) has limited stock and is already in pack \S+ \((.+)\)\./,
    (card, pack) => `卡牌 ${card} 库存有限，且已在卡包“${pack}”中。请先从其中一个卡包移除。`,
  ],
  [
    /^An admin can credit at most (.+) Play Points within (\d+) hours\./,
    (most, hours) => `每位管理员 ${hours} 小时内最多发放 ${most} 点。未发放任何点数，请稍后再试，或由其他管理员操作。`,
  ],
]

/** The Chinese text of a refusal. Unknown ones stay in English. */
export function refusalInChinese(message: string): string {
  for (const [pattern, text] of refusals) {
    const match = pattern.exec(message)
    if (match) return text(...match.slice(1))
  }
  return message
}

import type { items as en } from './en'

/** What kinds of items there are. */
export const items: typeof en = {
  rarities: {
    Common: '普通',
    Rare: '稀有',
    Epic: '史诗',
    Legendary: '传说',
    Mythic: '神话',
    Grail: '圣杯',
  },
  tiers: {
    'Secret Rare': '隐藏款',
    'Super Grail': '超级圣杯',
    'Mega Grail': '终极圣杯',
  },
  sample: '样品',
  grade: (grade) => `评级 ${grade}`,
  tierRange: (tier, range) => `${tier}（${range}）`,
  categories: {
    pokemon: '宝可梦',
    onepiece: '航海王',
    basketball: '篮球',
    football: '橄榄球',
    soccer: '足球',
    baseball: '棒球',
    labubu: 'Labubu',
  },
}

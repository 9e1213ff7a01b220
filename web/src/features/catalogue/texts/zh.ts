import { items } from '@/domain/texts/zh'
import type { catalogue as en } from './en'

export const catalogue: typeof en = {
  ...items,
  home: {
    howFair: '抽取如何进行',
    live: '进行中',
    heading: '拆开卡包，拥有真卡。',
    text: '评级卡牌与潮流玩具，公开抽取：每次结果在你选择之前就已封存，你可以亲自验证。',
    grabAPack: '来一包',
    hero: '精选',
    heroPictures: ['灯光下的一排评级卡', '灯光下正在打开的卡包'],
    pickPicture: (n) => `显示第 ${n} 张图片`,
    packsHeading: '柜台上新',
    allPacks: '全部卡包',
    fairHeading: '公平如何保证',
    fairText: '无需信任：三个步骤，每一步都留下人人可查的痕迹。',
    fairSteps: [
      { title: '先封存', text: '在你按下任何按钮之前，服务器就为你固定一个秘密种子，并公布它的指纹。' },
      { title: '你来加入随机', text: '你的浏览器生成自己的随机数，服务器在封存种子时不可能预先知道。' },
      { title: '揭晓并留档', text: '种子随结果一起公开，概率表人人可查，每次抽取都写入只增不改的公开日志。' },
    ],
  },
  store: {
    opening: '正在打开……',
    title: '卡包',
    text: '付款之前，每个卡包的概率、卡牌和期望价值都一目了然。',
    featured: '精选',
    new: '新品',
    soldOut: '已售罄',
    paused: '已暂停',
    openPack: '打开卡包',
    viewPack: '查看卡包',
    priceIn: (price) => `${price} Play Points`,
    empty: '这里还没有卡包',
    emptyText: '新卡包正在路上，先看看其他卡包吧。',
    showAll: '查看全部卡包',
    failed: '获取卡包列表失败',
  },
}

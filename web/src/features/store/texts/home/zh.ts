import type { home as en } from './en'

export const home: typeof en = {
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
}

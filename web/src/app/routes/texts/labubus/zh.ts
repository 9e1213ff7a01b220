import type { labubus as en } from './en'

export const labubus: typeof en = {
  title: 'Labubu 系列',
  text: '长耳朵、尖牙齿，还有一个等你来打开的盒子。三个系列、一层豪华柜，外加几个隐藏款。',
  explore: '探索 Labubu',
  video: '盒装玩偶在灯光下缓缓转动',
}

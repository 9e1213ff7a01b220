import type { profile as en } from './en'

export const profile: typeof en = {
  title: '名字和头像',
  text: '其他人会在排行榜、最新开包和你的挂单上看到这些。',
  name: '名字',
  namePlaceholder: '不使用名字',
  nameHint: (most) => `最多 ${most} 个字符。留空时，其他人看到的是“匿名用户”或“用户”加编号。`,
  picture: '头像地址',
  picturePlaceholder: 'https://',
  pictureHint:
    '支持 PNG、JPEG、GIF 或 WebP。页面显示的是本站保存的副本，图片所在的网站不会知道谁看过。留空时，其他人看到的是名字的首字。',
  tracedTitle: '名字可能被追查',
  traced:
    '公开日志以代号记录每一次开包。带有你名字的开包、排名和挂单可以与日志比对，比对之后，你的所有开包记录都会被认出。不使用名字，这里就不会透露你是谁。',
  problems: {
    long: (most) => `最多 ${most} 个字符。`,
    hidden: '包含看不见的字符。',
    address: (most) => `请输入以 https:// 开头、不超过 ${most} 个字符的地址。`,
  },
  refused: {
    firstName: '这个名字为开包平台或未命名的用户保留，或者无法显示，请换一个。',
    profileImageUrl: '这个地址无法使用。',
  },
  cancel: '取消',
  save: '保存',
  saving: '保存中…',
  saved: '已保存',
  failed: '保存失败',
}

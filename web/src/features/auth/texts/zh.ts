import type { profile as en } from './en'

export const profile: typeof en = {
  title: '编辑资料',
  text: '昵称和头像会显示在排行榜、实时开包和你的挂单上。',
  name: '昵称',
  namePlaceholder: '不设昵称',
  nameHint: (most) => `最多 ${most} 个字符。留空则显示为“匿名用户”，或“用户123”这样的编号。`,
  picture: '头像链接',
  picturePlaceholder: 'https://',
  pictureHint: '支持 PNG、JPEG、GIF 或 WebP。留空则使用默认头像。',
  gifts: '接收礼物',
  giftsHint: '其他藏家可以向你赠送物品。关闭后，对方不会收到提示。',
  tracedTitle: '设置昵称后，开包记录可能被关联',
  traced: '公开日志以化名记录每次开包。设置昵称后，别人可与日志比对，查出你的全部开包记录。想匿名请勿设置。',
  lockedTitle: '昵称和头像已锁定',
  locked: (reason) => `管理员已移除你的昵称和头像，解锁前无法重新设置。原因：${reason}`,
  problems: {
    long: (most) => `最多 ${most} 个字符。`,
    hidden: '请删除不可见字符。',
    address: (most) => `请输入以 https:// 开头、不超过 ${most} 个字符的链接。`,
  },
  refused: {
    firstName: '这个昵称已被保留、与他人的用户名过于相似，或无法显示，请换一个。',
    profileImageUrl: '这个链接无法使用，请换一个。',
  },
  cancel: '取消',
  save: '保存',
  saving: '正在保存…',
  saved: '资料已保存',
  failed: '资料保存失败',
}

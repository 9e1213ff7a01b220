import type { opens as en } from './en'

export const opens: typeof en = {
  title: '开包记录',
  text: '你打开过的每个卡包，以及对应的抽取证明。',
  overlayText: '开包记录归属于你的钱包，连接后即可查看并逐笔验证。',
  list: '已打开的卡包',
  verify: '验证',
  total: '抽到',
  price: '支付',
  commitment: '承诺值',
  nonce: '序号',
  clientSeed: '客户端种子',
  serverSeed: '服务器种子',
  empty: '还没有开过卡包',
  emptyText: '打开你的第一个卡包，验证所需的一切都会保存在这里。',
  failed: '开包记录加载失败',
}

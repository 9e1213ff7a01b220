import type { checkout as en } from './en'

export const checkout: typeof en = {
  title: '结账',
  loading: '正在加载卡包…',
  notFound: '未找到卡包',
  notFoundText: '找不到你要购买的卡包。',
  notConfigured: '支付尚未配置',
  notConfiguredText: '支付处理目前尚未设置，请联系管理员。',
  goBack: '返回',
  failed: '获取卡包详情失败',
}
